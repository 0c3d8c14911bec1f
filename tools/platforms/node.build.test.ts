import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backends, expectedOfProgram, startBackends } from "../packed/backends";
import { createPackedConsumer, ISOMORPHIC, type PackedConsumer } from "../packed/packed-consumer";
import { writePrograms } from "../packed/programs";
import { findInstalled, runProgram } from "./run-program";

/** A runtime over a graph of its own, asked over a real port: as a runtime, and as an agent by A2A. */
const RUNTIME = `
async function main({ startRuntime }, { createExtractiveModel }, { runtimeAgents }, { createA2aClient }) {
	const models = { resolve: () => ({ model: createExtractiveModel(), payer: "none", reason: "Built in." }) };
	const desk = { nodes: [{ id: "desk", kind: "coordinator" }] };
	const runtime = await startRuntime({ agents: { desk }, ports: { models }, port: 0, log: () => undefined });
	const agents = runtimeAgents({ baseUrl: runtime.url });
	const { status } = await agents.run("desk", { input: "Hello?" });
	const { task } = await createA2aClient({ url: runtime.url + "/a2a/desk" }).stream("Hello?").result();
	await runtime.close();
	console.log(JSON.stringify({ version: process.version, status, state: task.status.state }));
}
`;

const RUNTIME_ESM = `
import * as runtime from "@stemma/runtime";
import * as extractive from "@stemma/routing/extractive";
import * as client from "@stemma/client";
import * as a2a from "@stemma/client/a2a";
${RUNTIME}
await main(runtime, extractive, client, a2a);
`;

const RUNTIME_CJS = `
${RUNTIME}
const [runtime, extractive] = [require("@stemma/runtime"), require("@stemma/routing/extractive")];
main(runtime, extractive, require("@stemma/client"), require("@stemma/client/a2a"));
`;

const folder = `${process.platform}-${process.arch}`;
const NODES = [
	{ version: "v18.20.8", binary: findInstalled(`node18-${folder}/bin/node`) },
	{ version: "v20.20.2", binary: findInstalled(`node20-${folder}/bin/node`) },
	{ version: "v22.23.3", binary: findInstalled(`node22-${folder}/bin/node`) },
	{ version: process.version, binary: process.execPath },
];

let consumer: PackedConsumer;
let backends: Backends;
beforeAll(async () => {
	[consumer, backends] = await Promise.all([
		createPackedConsumer([...ISOMORPHIC, "a2a-server", "runtime"]),
		startBackends(),
	]);
	await writePrograms(consumer);
	await consumer.write("runtime.mjs", RUNTIME_ESM);
	await consumer.write("runtime.cjs", RUNTIME_CJS);
});
afterAll(async () => {
	await backends?.close();
	await consumer?.remove();
});

describe.concurrent.each(NODES)("the packed packages on Node $version", ({ version, binary = "" }) => {
	const run = (program: string) =>
		runProgram(binary, [program, JSON.stringify(backends.settings)], consumer.folder);

	it.skipIf(binary === "").each(["all.mjs", "all.cjs"])(
		"run graphs, ask models and use a service: %s",
		async (program) => {
			expect(await run(program)).toEqual({
				outcome: { platform: `Node ${version.slice(1)}`, ...expectedOfProgram },
				stderr: "",
			});
		},
	);

	it.skipIf(binary === "").each(["runtime.mjs", "runtime.cjs"])("serve agents: %s", async (program) => {
		const outcome = { version, status: "completed", state: "TASK_STATE_COMPLETED" };
		expect(await run(program)).toEqual({ outcome, stderr: "" });
	});
});
