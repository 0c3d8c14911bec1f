// `npm run check`: the quick half of the tests: format, lint, types, unit tests, all at once.
import { runSteps } from "./steps.mjs";

const failed = await runSteps([
	{ name: "format and lint", command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."] },
	{ name: "types", command: ["tsc", "-p", "tsconfig.json"] },
	{ name: "types of isomorphic packages", command: ["tsc", "-p", "tsconfig.isomorphic.json"] },
	{ name: "unit tests", command: ["vitest", "run", "--project", "unit", ...process.argv.slice(2)] },
]);
process.exit(failed.length === 0 ? 0 : 1);
