import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectedOfModels } from "../packed/models-scenario.mjs";
import { createPackedConsumer, ISOMORPHIC, type PackedConsumer } from "../packed/packed-consumer";
import { expected } from "../packed/scenario.mjs";
import { type RunningVendors, startVendors } from "../packed/vendors";

const execute = promisify(execFile);
const node18 = fileURLToPath(
	new URL(`node_modules/node18-${process.platform}-${process.arch}/bin/node`, import.meta.url),
);

const BINARIES = [
	{ version: "v18.20.8", binary: node18 },
	{ version: process.version, binary: process.execPath },
];

const ESM = `
import * as core from "@stemma/core";
import * as errors from "@stemma/core/errors";
import * as sse from "@stemma/core/sse";
import * as local from "@stemma/local";
import * as engine from "@stemma/engine";
import { scenario } from "./scenario.mjs";
const outcome = await scenario({ core, errors, sse, local });
console.log(JSON.stringify({ version: process.version, engine: typeof engine.createEngine, ...outcome }));
`;

const CJS = `
const core = require("@stemma/core");
const errors = require("@stemma/core/errors");
const sse = require("@stemma/core/sse");
const local = require("@stemma/local");
const engine = require("@stemma/engine");
import("./scenario.mjs")
	.then(({ scenario }) => scenario({ core, errors, sse, local }))
	.then((outcome) => console.log(JSON.stringify({ version: process.version, engine: typeof engine.createEngine, ...outcome })));
`;

/** A runtime over a graph of its own, asked over a real port. */
const RUNTIME = `
async function main({ startRuntime }, { createExtractiveModel }, { runtimeAgents }) {
	const models = { resolve: () => ({ model: createExtractiveModel(), payer: "none", reason: "Built in." }) };
	const desk = { nodes: [{ id: "desk", kind: "coordinator" }] };
	const runtime = await startRuntime({ agents: { desk }, ports: { models }, port: 0, log: () => undefined });
	const agents = runtimeAgents({ baseUrl: runtime.url });
	const { status } = await agents.run("desk", { input: "Hello?" });
	await runtime.close();
	console.log(JSON.stringify({ version: process.version, status }));
}
`;

const RUNTIME_ESM = `
import * as runtime from "@stemma/runtime";
import * as extractive from "@stemma/routing/extractive";
import * as client from "@stemma/client";
${RUNTIME}
await main(runtime, extractive, client);
`;

const RUNTIME_CJS = `
${RUNTIME}
main(require("@stemma/runtime"), require("@stemma/routing/extractive"), require("@stemma/client"));
`;

/** The argument of both is where the vendors listen. */
const MODELS_ESM = `
import * as core from "@stemma/core";
import * as local from "@stemma/local";
import * as routing from "@stemma/routing";
import * as aiSdk from "@stemma/routing/ai-sdk";
import * as bedrock from "@stemma/routing/bedrock";
import * as extractive from "@stemma/routing/extractive";
import * as openAiCompatible from "@stemma/routing/openai-compatible";
import * as rerankers from "@stemma/routing/rerankers";
import { modelsScenario } from "./models-scenario.mjs";
const packages = { core, local, routing, aiSdk, bedrock, extractive, openAiCompatible, rerankers };
console.log(JSON.stringify(await modelsScenario(packages, JSON.parse(process.argv[2]))));
`;

const MODELS_CJS = `
const packages = {
	core: require("@stemma/core"),
	local: require("@stemma/local"),
	routing: require("@stemma/routing"),
	aiSdk: require("@stemma/routing/ai-sdk"),
	bedrock: require("@stemma/routing/bedrock"),
	extractive: require("@stemma/routing/extractive"),
	openAiCompatible: require("@stemma/routing/openai-compatible"),
	rerankers: require("@stemma/routing/rerankers"),
};
import("./models-scenario.mjs")
	.then(({ modelsScenario }) => modelsScenario(packages, JSON.parse(process.argv[2])))
	.then((outcome) => console.log(JSON.stringify(outcome)));
`;

let consumer: PackedConsumer;
let running: RunningVendors;
beforeAll(async () => {
	consumer = await createPackedConsumer([...ISOMORPHIC, "runtime"]);
	running = await startVendors();
	await consumer.write("esm.mjs", ESM);
	await consumer.write("cjs.cjs", CJS);
	await consumer.write("runtime.mjs", RUNTIME_ESM);
	await consumer.write("runtime.cjs", RUNTIME_CJS);
	await consumer.write("models.mjs", MODELS_ESM);
	await consumer.write("models.cjs", MODELS_CJS);
});
afterAll(async () => {
	await running.close();
	await consumer.remove();
});

describe.each(BINARIES)("the packed packages on Node $version", ({ version, binary }) => {
	it.skipIf(!existsSync(binary)).each(["esm.mjs", "cjs.cjs"])(
		"import and run a graph: %s",
		async (program) => {
			const { stdout, stderr } = await execute(binary, [program], { cwd: consumer.folder });
			expect(stderr).toBe("");
			expect(JSON.parse(stdout)).toEqual({ version, engine: "function", ...expected });
		},
	);

	it.skipIf(!existsSync(binary)).each(["runtime.mjs", "runtime.cjs"])("serve agents: %s", async (program) => {
		const { stdout, stderr } = await execute(binary, [program], { cwd: consumer.folder });
		expect(stderr).toBe("");
		expect(JSON.parse(stdout)).toEqual({ version, status: "completed" });
	});

	it.skipIf(!existsSync(binary)).each(["models.mjs", "models.cjs"])("ask models: %s", async (program) => {
		const args = [program, JSON.stringify(running.vendors)];
		const { stdout, stderr } = await execute(binary, args, { cwd: consumer.folder });
		expect(stderr).toBe("");
		expect(JSON.parse(stdout)).toEqual(expectedOfModels);
	});
});
