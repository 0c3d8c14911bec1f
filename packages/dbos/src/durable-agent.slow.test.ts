import { DBOS } from "@dbos-inc/dbos-sdk";
import type { AgentGraph, RunEvent } from "@stemma/core";
import { describeReferenceRuns } from "@stemma/engine/test-support/reference-runs";
import { checkScenario, SCENARIOS } from "@stemma/engine/test-support/scenarios";
import { calls, scriptedPorts } from "@stemma/engine/test-support/scripted";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crashGraph, createCrashPorts } from "./test-support/crash-graph";
import { createDbosFixture, type DbosFixture, postgresPrograms, SKIPPED } from "./test-support/dbos-fixture";

const desk = { id: "desk", kind: "coordinator" } as const;
const pay = { id: "pay", kind: "tool", tool: "pay", approval: true } as const;
const approvalGraph: AgentGraph = { nodes: [desk, pay], edges: [{ from: "desk", to: "pay" }] };

/** A tool that asks for approval, and a model that answers by what it gave. */
function createApprovalPorts(called: string[]) {
	const script = {
		desk: ({
			messages,
		}: {
			readonly messages: readonly { readonly role: string; readonly content: string }[];
		}) => {
			const last = messages.at(-1);
			return last?.role === "tool" ? `It said: ${last.content}` : calls(["pay", "A1"]);
		},
	};
	return scriptedPorts({
		script,
		ports: {
			tools: {
				describe: async () => ({
					parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
				}),
				async call({ arguments: { input } }) {
					called.push(String(input));
					return "paid";
				},
			},
		},
	}).ports;
}

describe.skipIf(postgresPrograms === undefined)(`on DBOS (${SKIPPED})`, () => {
	let fixture: DbosFixture;
	beforeAll(async () => {
		fixture = await createDbosFixture();
	});
	afterAll(() => fixture.close());

	describe("a run is that of the engine", () => {
		it.each(Object.entries(SCENARIOS))("%s", (_, scenario) =>
			checkScenario(scenario, fixture.run, { isOrdered: false }),
		);

		describeReferenceRuns((graph, options) => fixture.run(graph, options), 5);
	});

	it("waits for a decision through a restart, and takes it once", async () => {
		const called: string[] = [];
		const options = { name: "approving", graph: approvalGraph, ports: createApprovalPorts(called) };
		const first = await fixture.launch(options);
		const run = await first.start({ input: "Refund A1.", runId: "run_waiting" });
		await expect.poll(() => run.approvals()).toHaveLength(1);
		const again = await fixture.launch(options);
		const events: RunEvent[] = [];
		const resumed = again.open("run_waiting");
		resumed.watch((event) => events.push(event));
		const [approval] = await resumed.approvals();
		const decision = { approval_id: approval?.id ?? "", decision: "approve" } as const;
		await expect(resumed.decide({ ...decision, approval_id: "apr_99" })).rejects.toMatchObject({
			code: "approval_not_found",
		});
		await resumed.decide(decision);
		expect(await resumed.result()).toMatchObject({ status: "completed", output: "It said: paid" });
		expect(called).toEqual(["A1"]);
		expect(events[0]?.type).toBe("run.started");
		expect(await resumed.approvals()).toEqual([]);
	});

	it("a denial is told to the model", async () => {
		const called: string[] = [];
		const agent = await fixture.launch({
			name: "approving",
			graph: approvalGraph,
			ports: createApprovalPorts(called),
		});
		const run = await agent.start({ input: "Refund A1." });
		await expect.poll(() => run.approvals()).toHaveLength(1);
		const [approval] = await run.approvals();
		await run.decide({ approval_id: approval?.id ?? "", decision: "deny", reason: "Too much." });
		expect((await run.result()).output).toContain("Too much.");
		expect(called).toEqual([]);
	});

	it("a run that is cancelled aborts its calls, and has a receipt, in whatever process it is read", async () => {
		let isCalled = false;
		let isAborted = false;
		const { ports } = scriptedPorts({ script: { desk: [calls(["wait", "A1"])] } });
		const options = {
			name: "cancelled",
			graph: {
				nodes: [desk, { id: "wait", kind: "tool", tool: "wait" }],
				edges: [{ from: "desk", to: "wait" }],
			},
			ports: {
				...ports,
				tools: {
					describe: async () => ({ parameters: { type: "object" } }),
					call: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
						new Promise<never>((_, reject) => {
							isCalled = true;
							signal.addEventListener("abort", () => {
								isAborted = true;
								reject(signal.reason);
							});
						}),
				},
			},
		} as const;
		const agent = await fixture.launch(options);
		const events: string[] = [];
		const run = await agent.start({ input: "Wait.", onEvent: ({ type }) => events.push(type) });
		await expect.poll(() => isCalled).toBe(true);
		await run.cancel();
		const result = await run.result();
		expect(result).toMatchObject({ status: "cancelled", receipt: [{ node: "desk", input_tokens: 10 }] });
		await expect.poll(() => isAborted).toBe(true);
		await expect.poll(() => events.at(-1)).toBe("run.cancelled");
		const again = await fixture.launch(options);
		expect(await again.open(run.runId).result()).toEqual(result);
	});

	it("a run that is cancelled while it is paused ends", async () => {
		const agent = await fixture.launch({
			name: "approving",
			graph: approvalGraph,
			ports: createApprovalPorts([]),
		});
		const run = await agent.start({ input: "Refund A1." });
		await expect.poll(() => run.approvals()).toHaveLength(1);
		await run.cancel();
		expect(await run.result()).toMatchObject({ status: "cancelled", receipt: [{ node: "desk" }] });
	});

	it("an error of a model fails the run, with its code", async () => {
		const { result } = await fixture.run({ nodes: [desk] }, { script: { desk: [new Error("no answer")] } });
		expect(result).toMatchObject({
			status: "failed",
			error: { code: "model_failed", message: expect.stringContaining("no answer") },
		});
	});

	it("text reaches a watcher before the reply is whole", async () => {
		let finish = (): void => undefined;
		const { ports } = scriptedPorts({});
		const model = {
			provider: "p",
			model: "m",
			vendorHost: "",
			generate: () => Promise.reject(new Error("Only streams are used.")),
			async *stream() {
				yield { type: "text.delta" as const, text: "Half " };
				await new Promise<void>((resolve) => {
					finish = resolve;
				});
				yield { type: "text.delta" as const, text: "done." };
				yield {
					type: "finish" as const,
					reply: { text: "Half done.", toolCalls: [], finishReason: "stop" as const },
				};
			},
		};
		const agent = await fixture.launch({
			name: "streaming",
			graph: { nodes: [desk] },
			ports: { ...ports, models: { resolve: () => ({ model, payer: "none", reason: "" }) } },
		});
		const texts: string[] = [];
		const run = await agent.start({ input: "hello" });
		run.watch((event) => event.type === "text.delta" && texts.push(event.text));
		await expect.poll(() => texts).toEqual(["Half "]);
		finish();
		expect((await run.result()).output).toBe("Half done.");
		expect(texts).toEqual(["Half ", "done."]);
	});

	it("a second start with the same id gives the first run", async () => {
		const called: string[] = [];
		const agent = await fixture.launch({
			name: "once",
			graph: crashGraph,
			ports: createCrashPorts((node) => called.push(node)),
		});
		const [one, two] = [
			await agent.start({ input: "Refund A1.", runId: "run_once" }),
			await agent.start({ input: "Refund B2.", runId: "run_once" }),
		];
		expect(await two.result()).toEqual(await one.result());
		expect(called.filter((node) => node === "pay")).toHaveLength(1);
	});

	it("shows a step for each call", async () => {
		const agent = await fixture.launch({
			name: "steps",
			graph: crashGraph,
			ports: createCrashPorts(() => undefined),
		});
		const run = await agent.start({ input: "Refund A1." });
		await run.result();
		const steps = await DBOS.listWorkflowSteps(run.runId);
		expect(steps?.map(({ name }) => name)).toEqual(
			expect.arrayContaining([
				"retrieve faq",
				"model desk",
				"tool pay",
				"tool look",
				"agent legal",
				"tool note",
			]),
		);
	});

	it("input that is not JSON starts nothing", async () => {
		const agent = await fixture.launch({
			name: "input",
			graph: { nodes: [desk] },
			ports: scriptedPorts({}).ports,
		});
		await expect(agent.start({ input: { a: 1n } as object, runId: "run_bad" })).rejects.toMatchObject({
			code: "invalid_input",
		});
		expect(await DBOS.getWorkflowStatus("run_bad")).toBeNull();
	});
});
