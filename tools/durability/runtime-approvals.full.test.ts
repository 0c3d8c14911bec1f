import type { RunRecord } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import { createHarness } from "@stemma/simulators/processes";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeEach, expect, it } from "vitest";
import { createRuntimeFixture, type RuntimeFixture } from "./runtime/runtime-fixture.ts";

const RUNS = 6;
const ANSWER = { chunks: 3, pauseMs: 5 };

const harness = createHarness();
const server = useRpcServer();
beforeEach(() => {
	const inputSchema = { type: "object", properties: { input: { type: "string" } } };
	server.handle(
		createMcpHandler({
			era: "modern",
			tools: [{ name: "refund", inputSchema }],
			call: () => text("It is refunded."),
		}),
	);
});
afterAll(() => harness.end());

/** What the tool was called with. */
const listCalls = (): unknown[] =>
	server.received
		.filter(({ rpc }) => rpc.method === "tools/call")
		.map(({ rpc }) => (rpc.params as { readonly arguments: { readonly input: string } }).arguments.input)
		.sort();

interface WaitingRun {
	readonly id: string;
	readonly approval: string;
}

async function post<Body>(url: string, json: object): Promise<Body> {
	const response = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(json),
	});
	const body = await response.text();
	expect({ url, status: response.status, body }).toMatchObject({ status: 200 });
	return JSON.parse(body) as Body;
}

const questions = Array.from({ length: RUNS }, (_, index) => `Refund order ${index}.`);

/** Runs that wait for an approval, one for each question. */
const pauseAll = ({ runtime }: RuntimeFixture, agent: string): Promise<readonly WaitingRun[]> =>
	Promise.all(
		questions.map(async (input) => {
			const result = await post<RunResult>(`${runtime.url}/run/${agent}`, { input });
			expect(result).toMatchObject({
				status: "paused",
				approvals: [{ tool: "refund", arguments: { input } }],
			});
			return { id: result.run_id, approval: result.approvals?.[0]?.id ?? "" };
		}),
	);

async function restartService(fixture: RuntimeFixture) {
	fixture.service.program.kill("SIGKILL");
	await fixture.service.program.ended;
	return fixture.restartService();
}

const approveAtRuntime = ({ runtime }: RuntimeFixture, { id, approval }: WaitingRun): Promise<RunRecord> =>
	post(`${runtime.url}/runs/${id}/approvals/${approval}`, { decision: "approve" });

async function readAtRuntime({ runtime }: RuntimeFixture, { id }: WaitingRun) {
	const response = await fetch(`${runtime.url}/runs/${id}/events?after=0`);
	return (await response.json()) as {
		readonly data: readonly { readonly seq: number; readonly type: string }[];
	};
}

/** All of it is there, once, and its end is the last. */
async function expectCompleted(fixture: RuntimeFixture, run: WaitingRun): Promise<void> {
	const typesOf = async () => (await readAtRuntime(fixture, run)).data.at(-1)?.type;
	await expect.poll(typesOf, { interval: 50 }).toBe("run.completed");
	const { data } = await readAtRuntime(fixture, run);
	expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1));
	expect(data.filter(({ type }) => type === "run.paused")).toHaveLength(1);
}

it.each(["refund", "stored-refund"])("runs of %s that wait outlive kill -9 of the service", async (agent) => {
	const fixture = await createRuntimeFixture(harness, { ...ANSWER, refunds: server.url });
	const runs = await pauseAll(fixture, agent);
	await restartService(fixture);
	expect(listCalls()).toEqual([]);
	await Promise.all(runs.map((run) => approveAtRuntime(fixture, run)));
	// A second answer changes nothing.
	await Promise.all(runs.map((run) => approveAtRuntime(fixture, run)));
	for (const run of runs) await expectCompleted(fixture, run);
	expect(listCalls()).toEqual(questions);
});

it("runs of the service that wait outlive kill -9 of both", async () => {
	const fixture = await createRuntimeFixture(harness, { ...ANSWER, refunds: server.url });
	const runs = await pauseAll(fixture, "stored-refund");
	fixture.runtime.kill("SIGKILL");
	const { stemma } = await restartService(fixture);
	for (const { id, approval } of runs) await stemma.runs.decide(id, approval, { decision: "approve" });
	for (const { id } of runs)
		await expect.poll(async () => (await stemma.runs.get(id)).status, { interval: 50 }).toBe("completed");
	expect(listCalls()).toEqual(questions);
});
