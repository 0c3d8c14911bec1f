import type { PackedConsumer } from "./packed-consumer";

/** What the scenarios use of the packed packages, by the names that they use. */
const PACKAGES = {
	core: "@stemma/core",
	errors: "@stemma/core/errors",
	sse: "@stemma/core/sse",
	client: "@stemma/client",
	mcp: "@stemma/client/mcp",
	a2a: "@stemma/client/a2a",
	testing: "@stemma/client/testing",
	engine: "@stemma/engine",
	local: "@stemma/local",
	routing: "@stemma/routing",
	aiSdk: "@stemma/routing/ai-sdk",
	bedrock: "@stemma/routing/bedrock",
	extractive: "@stemma/routing/extractive",
	openAiCompatible: "@stemma/routing/openai-compatible",
	rerankers: "@stemma/routing/rerankers",
};

const write = (line: (name: string, path: string) => string): string =>
	Object.entries(PACKAGES)
		.map(([name, path]) => line(name, path))
		.join("\n");

const SCENARIOS = `
import { scenario } from "./scenario.mjs";
import { modelsScenario } from "./models-scenario.mjs";
import { clientScenario } from "./client-scenario.mjs";
`;

const LAZY_SCENARIOS = `
const { scenario } = await import("./scenario.mjs");
const { modelsScenario } = await import("./models-scenario.mjs");
const { clientScenario } = await import("./client-scenario.mjs");
`;

const RUN_SCENARIOS = `
return {
	engine: typeof packages.engine.createEngine,
	graph: await scenario(packages),
	models: await modelsScenario(packages, vendors),
	client: await clientScenario(packages, client),
};
`;

/** An ES module with `runAll`, which goes through all scenarios, given where vendors and a service are. */
export const RUN_ALL = `
${write((name, path) => `import * as ${name} from "${path}";`)}
${SCENARIOS}
const packages = { ${Object.keys(PACKAGES).join(", ")} };
export async function runAll({ vendors, client }) {${RUN_SCENARIOS}}
`;

/** The same, but each package is loaded when it is needed. */
export const LAZY_RUN_ALL = `
export async function runAll({ vendors, client }) {
const packages = {};
${write((name, path) => `packages.${name} = await import("${path}");`)}
${LAZY_SCENARIOS}
${RUN_SCENARIOS}}
`;

/** What a program says of the platform that it found itself on. */
const PLATFORM = `
const platform =
	globalThis.Bun !== undefined ? "Bun " + Bun.version
	: globalThis.Deno !== undefined ? "Deno " + Deno.version.deno
	: "Node " + process.versions.node;
`;

const RUN_PROGRAM = `
async function runProgram() {
	const { serverScenario } = await import("./server-scenario.mjs");
	const { fileFromPath } = await import("@stemma/client/node");
	const settings = JSON.parse(process.argv[2]);
	const outcome = await runAll(settings);
	const server = await serverScenario(packages, settings.client, fileFromPath);
	console.log(JSON.stringify({ platform, ...outcome, server }));
}
`;

/** A program for Node and what is like it: the argument is JSON, and so is what it prints. Beside it stands `page.md`. */
const ESM_PROGRAM = `${RUN_ALL}${PLATFORM}${RUN_PROGRAM}
await runProgram();
`;

/** The same with `require`. */
const CJS_PROGRAM = `
${write((name, path) => `const ${name} = require("${path}");`)}
const packages = { ${Object.keys(PACKAGES).join(", ")} };
async function runAll({ vendors, client }) {
${LAZY_SCENARIOS}
${RUN_SCENARIOS}}
${PLATFORM}${RUN_PROGRAM.replace('await import("@stemma/client/node")', 'require("@stemma/client/node")')}
runProgram();
`;

/** A module of a worker: it is asked with the settings, and answers with the outcome. */
export const WORKER = `${RUN_ALL}
import { serverScenario } from "./server-scenario.mjs";
export default {
	async fetch(request) {
		const settings = await request.json();
		const outcome = await runAll(settings);
		const server = await serverScenario(packages, settings.client);
		return Response.json({ platform: navigator.userAgent, ...outcome, server });
	},
};
`;

/** Lays the programs out in the folder of a consumer: `all.mjs` and `all.cjs`. */
export async function writePrograms({ write }: PackedConsumer): Promise<void> {
	await write("all.mjs", ESM_PROGRAM);
	await write("all.cjs", CJS_PROGRAM);
	await write("page.md", "Refunds take five working days.\n");
}
