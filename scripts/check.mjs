// `npm run check`: format, lint, types, unit tests, and route tests of the service on sources, all at once. Of the tests, those
// that something changed for since they passed; `--all` runs all of them. Other arguments go to Vitest.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findAffectedTests } from "./affected-tests.mjs";
import { ensureToolInstalled } from "./install.mjs";
import { compilerFolder, runSteps, typeSteps } from "./steps.mjs";
import { root } from "./workspace.mjs";

const cache = join(root, "node_modules/.stemma");
const report = join(cache, "check.json");
const args = process.argv.slice(2).filter((arg) => arg !== "--all");
const tests = findAffectedTests();
const isWhole = process.argv.includes("--all") || args.length > 0 || tests.files.length === tests.total;

mkdirSync(cache, { recursive: true });
rmSync(report, { force: true });
console.log(
	isWhole
		? `${tests.total} test files`
		: `${tests.files.length} of ${tests.total} test files: for the others nothing changed since they passed (\`npm run check -- --all\` runs them too)`,
);
await ensureToolInstalled(compilerFolder);
const failed = await runSteps([
	{ name: "format and lint", command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."] },
	...typeSteps,
	{
		name: "unit tests and route tests",
		command: [
			...["vitest", "run", "--project", "unit", "--project", "routes"],
			...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
			...(isWhole ? args : tests.files),
		],
	},
]);
if (existsSync(report)) tests.record(JSON.parse(readFileSync(report, "utf8")));
process.exit(failed.length === 0 ? 0 : 1);
