import type { WireRunEvent } from "@stemma/client";
import type { AgentGraph, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { parseEvent } from "@stemma/runs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../auth/caller";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { createWorkspaceStore } from "../../store/repositories/workspace-store";
import type { WorkspaceStore } from "../../store/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../../store/workspace-tables";
import type { ApprovalChange } from "../repositories/approval-repository";
import { Runs } from "../runs";
import { readResult } from "../stored-run";

const CALLER: Caller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] };
const USAGE = { inputTokens: 3, outputTokens: 2 };
const POLL = { timeout: 10_000 };
const never = new Promise<never>(() => undefined);

/** Reply of the model of a node, or text that it says before its process ends. */
type ScriptedReply = Partial<ChatReply> | { readonly partial: string };

let store: WorkspaceStore;
let processes: TestProcess[];
beforeEach(() => {
	store = createWorkspaceStore(openMemoryDatabase<WorkspaceTables>(workspaceMigrations));
	processes = [];
});
afterEach(async () => {
	for (const { runs } of processes) await runs.stop(0);
});

/** Process that has the runs of the store: what it writes is lost from its crash on. */
class TestProcess {
	readonly runs: Runs;
	readonly calls: string[] = [];
	readonly requests: ChatRequest[] = [];
	readonly failures: unknown[] = [];
	toolsHang = false;
	describingHangs = false;
	isIdempotent = false;
	#isCrashed = false;
	readonly #replies: ScriptedReply[];

	constructor(replies: readonly ScriptedReply[], maxConcurrentRuns = 4) {
		this.#replies = [...replies];
		const repository = {
			...store.runs,
			append: (batch: Parameters<typeof store.runs.append>[0]) =>
				this.#isCrashed ? Promise.reject(new Error("The process has ended.")) : store.runs.append(batch),
		};
		this.runs = new Runs({
			...{ repository, approvals: store.approvals, maxConcurrentRuns, resumesInterrupted: true },
			countRunEnd: () => undefined,
			onFailure: (error) => this.failures.push(error),
		});
	}

	async start(graph: AgentGraph, parentRunId?: string): Promise<string> {
		const runnable = this.prepare(graph);
		const { id } = await this.runs.start({
			agent: { id: "ag_1", slug: "desk", version: 1 },
			...{ runnable, input: "Hello?", context: {}, untrustedContext: false, background: true, parentRunId },
			resumeContext: { graph, depth: 0, caller: CALLER },
		});
		return id;
	}

	crash(): void {
		this.#isCrashed = true;
		this.runs.log.close();
	}

	/** Resumes the runs that other processes have left, as the service does when it starts. */
	async recover(): Promise<readonly string[]> {
		await this.runs.recover();
		const found = this.runs.listInterrupted();
		for (const id of found)
			await this.runs.resumeInterrupted(id, { prepare: async ({ graph }) => this.prepare(graph) });
		return found;
	}

	prepare(graph: AgentGraph): LocalAgent {
		return createLocalAgent(graph, {
			ports: {
				models: { resolve: () => ({ model: this.#model, payer: "none", reason: "" }) },
				tools: {
					describe: async () => {
						if (this.describingHangs) await never;
						return {
							description: "",
							parameters: { type: "object" },
							idempotent: this.isIdempotent,
						};
					},
					call: async ({ tool, runId }) => {
						await this.runs.saveState(runId);
						this.calls.push(tool);
						return this.toolsHang ? never : { output: "done" };
					},
				},
			},
		});
	}

	readonly #model: ChatModel = {
		...{ provider: "scripted", model: "script", vendorHost: "" },
		generate: () => Promise.reject(new Error("Only streams are used here.")),
		stream: (request) => this.#answer(request),
	};

	async *#answer(request: ChatRequest): ReturnType<ChatModel["stream"]> {
		this.requests.push({ ...request, messages: [...request.messages] });
		const reply = this.#replies.shift() ?? {};
		if ("partial" in reply) {
			yield { type: "text.delta", text: reply.partial };
			await never;
			return;
		}
		const { text = "", toolCalls = [] } = reply;
		if (text !== "") yield { type: "text.delta", text };
		const finishReason = toolCalls.length > 0 ? "tool_calls" : "stop";
		yield { type: "finish", reply: { text, toolCalls, finishReason, usage: USAGE } };
	}
}

function open(replies: readonly ScriptedReply[], maxConcurrentRuns?: number): TestProcess {
	const opened = new TestProcess(replies, maxConcurrentRuns);
	processes.push(opened);
	return opened;
}

const desk = { id: "desk", kind: "coordinator" } as const;
const TWO_MODELS: AgentGraph = {
	nodes: [{ id: "draft", kind: "agent", instructions: "Draft." }, desk],
	edges: [{ from: "desk", to: "draft", mode: "before" }],
};
const ONE_TOOL: AgentGraph = {
	nodes: [desk, { id: "pay", kind: "tool", tool: "pay", server: "http://a" }],
	edges: [{ from: "desk", to: "pay" }],
};
const CALL_PAY: ScriptedReply = { toolCalls: [{ id: "c1", name: "pay", arguments: "{}" }] };

const withApproval = ({ nodes, ...graph }: AgentGraph): AgentGraph => ({
	...graph,
	nodes: nodes.map((node) => (node.kind === "tool" ? { ...node, approval: true } : node)),
});

/** Approves and claims a run, as a process does that ends before it stores anything else. */
async function claimApproved(runId: string, approvalId: string): Promise<void> {
	const change: ApprovalChange = {
		decision: { decision: "approve", reason: null, decided_by: "cl_1", decided_at: 1 },
		audit: { actor: "cl_1", action: "approval.approved", target: runId },
	};
	await store.approvals.decide(runId, [{ approvalId, decide: () => change }]);
	const seq = (await store.runs.find(runId))?.last_seq ?? 0;
	expect(await store.runs.claimPaused(runId, seq)).toBe(true);
}

async function readEvents(runId: string): Promise<readonly WireRunEvent[]> {
	return (await store.runs.readEvents(runId, 0, 10_000)).map(parseEvent);
}

async function waitForText(runId: string, text: string): Promise<void> {
	await expect.poll(async () => JSON.stringify(await readEvents(runId)), POLL).toContain(text);
}

async function waitForResult(runId: string) {
	await expect.poll(async () => (await store.runs.find(runId))?.status, POLL).not.toBe("running");
	const run = await store.runs.find(runId);
	return run && (await readResult(store.runs, run));
}

function readText(events: readonly WireRunEvent[]): string {
	let text = "";
	for (const event of events) {
		if (event.type === "text.reset") text = "";
		if (event.type === "text.delta" && event.final) text += event.text;
	}
	return text;
}

describe("a run whose process has ended", () => {
	it("goes on at the model that was asked, with what others have answered, and shows each event once", async () => {
		const first = open([{ text: "a draft" }, { partial: "Half an ans" }]);
		const id = await first.start(TWO_MODELS);
		await waitForText(id, "Half an ans");
		first.crash();
		const second = open([{ text: "The whole answer." }]);
		const seen: WireRunEvent[] = [];
		const watching = (async () => {
			const { signal } = new AbortController();
			for await (const events of second.runs.watch(id, 0, signal)) seen.push(...events.map(parseEvent));
		})();
		expect(await second.recover()).toEqual([id]);
		await watching;
		expect(second.requests).toHaveLength(1);
		expect(JSON.stringify(second.requests[0]?.messages)).toContain("a draft");
		expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
		expect(readText(seen)).toBe("The whole answer.");
		const result = await waitForResult(id);
		expect(result).toMatchObject({ status: "completed", output: "The whole answer." });
		expect(result?.receipt.map(({ node, estimated = false }) => [node, estimated])).toEqual([
			["draft", false],
			["desk", true],
			["desk", false],
		]);
		expect([second.failures, second.runs.listInterrupted()]).toEqual([[], []]);
	});

	it("calls no tool twice whose result was not stored: the model is told", async () => {
		const first = open([CALL_PAY]);
		first.toolsHang = true;
		const id = await first.start(ONE_TOOL);
		await expect.poll(() => first.calls, POLL).toEqual(["pay"]);
		first.crash();
		const second = open([{ text: "I do not know." }]);
		await second.recover();
		expect(await waitForResult(id)).toMatchObject({ status: "completed", output: "I do not know." });
		expect(JSON.stringify(second.requests[0]?.messages)).toContain("outcome_unknown");
		expect(second.calls).toEqual([]);
	});

	it("calls an idempotent tool again", async () => {
		const [first, second] = [open([CALL_PAY]), open([{ text: "Paid." }])];
		first.isIdempotent = second.isIdempotent = true;
		first.toolsHang = true;
		const id = await first.start(ONE_TOOL);
		await expect.poll(() => first.calls, POLL).toEqual(["pay"]);
		first.crash();
		await second.recover();
		expect(await waitForResult(id)).toMatchObject({ status: "completed", output: "Paid." });
		expect(second.calls).toEqual(["pay"]);
	});

	it("calls a tool for the first time where the crash came before its call was stored", async () => {
		const first = open([{ partial: "I will " }]);
		const id = await first.start(ONE_TOOL);
		await waitForText(id, "I will ");
		first.crash();
		const second = open([CALL_PAY, { text: "Paid." }]);
		await second.recover();
		expect(await waitForResult(id)).toMatchObject({ status: "completed", output: "Paid." });
		expect(second.calls).toEqual(["pay"]);
	});

	it("goes on with what was decided where the crash came when it was claimed after its pause", async () => {
		const id = await open([CALL_PAY]).start(withApproval(ONE_TOOL));
		const paused = await waitForResult(id);
		await claimApproved(id, paused?.approvals?.[0]?.id ?? "");
		const second = open([{ text: "Paid." }]);
		expect(await second.recover()).toEqual([id]);
		expect(await waitForResult(id)).toMatchObject({ status: "completed", output: "Paid." });
		expect(second.calls).toEqual(["pay"]);
		expect((await readEvents(id)).filter(({ type }) => type === "run.paused")).toHaveLength(1);
	});

	it.each([
		["anything of it was stored", 0],
		["more than its start was stored", 1],
	])("is started again where the crash came before %s", async (_, stored) => {
		const first = open([]);
		first.describingHangs = true;
		if (stored === 0) first.crash();
		const id = await first.start(ONE_TOOL);
		if (stored === 1) await waitForText(id, "run.started");
		first.crash();
		const before = await readEvents(id);
		expect(before).toHaveLength(stored);
		const second = open([CALL_PAY, { text: "Paid." }]);
		expect(await second.recover()).toEqual([id]);
		expect(await waitForResult(id)).toMatchObject({ status: "completed", output: "Paid." });
		expect(second.calls).toEqual(["pay"]);
		expect(JSON.stringify(second.requests[0]?.messages)).toContain("Hello?");
		const events = await readEvents(id);
		expect(events.slice(0, stored)).toEqual(before);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		expect(events.filter(({ type }) => type === "run.started")).toHaveLength(1);
	});

	it("is resumed twice, and ends as interrupted after that", async () => {
		const first = open([{ partial: "one" }]);
		const id = await first.start({ nodes: [desk] });
		await waitForText(id, "one");
		first.crash();
		for (const partial of ["two", "three"]) {
			const next = open([{ partial }]);
			expect(await next.recover()).toEqual([id]);
			await waitForText(id, partial);
			next.crash();
		}
		const last = open([{ text: "four" }]);
		await last.recover();
		expect(last.requests).toEqual([]);
		expect(await waitForResult(id)).toMatchObject({
			status: "failed",
			output: "three",
			error: { code: "interrupted", message: expect.stringContaining("each time") },
		});
	});

	it("waits for room, and is cancelled meanwhile where that is requested", async () => {
		const first = open([{ partial: "one" }, { partial: "two" }]);
		const ids = [await first.start({ nodes: [desk] }), await first.start({ nodes: [desk] })];
		for (const id of ids) await waitForText(id, "delta");
		first.crash();
		const second = open([{ partial: "three" }], 1);
		await expect(second.recover()).rejects.toMatchObject({ code: "too_many_runs" });
		const [waiting = ""] = second.runs.listInterrupted();
		expect(second.runs.listInterrupted()).toEqual([waiting]);
		expect(second.runs.closeIfIdle()).toBe(false);
		await second.runs.cancel(waiting);
		expect((await store.runs.find(waiting))?.status).toBe("cancelled");
		expect(second.runs.listInterrupted()).toEqual([]);
	});

	it("ends with the reason where its agent cannot be made ready", async () => {
		const first = open([{ partial: "one" }]);
		const id = await first.start({ nodes: [desk] });
		await waitForText(id, "one");
		first.crash();
		const second = open([]);
		await second.runs.recover();
		const prepare = () => Promise.reject(new Error("No such key."));
		await second.runs.resumeInterrupted(id, { prepare });
		expect(await waitForResult(id)).toMatchObject({
			status: "failed",
			output: "one",
			error: { code: "internal_error" },
		});
		expect(second.failures).toMatchObject([{ message: "No such key." }]);
	});

	it("ends as interrupted where another run needs it, or where nothing was saved of it", async () => {
		const first = open([{ partial: "one" }]);
		const inner = await first.start({ nodes: [desk] }, "run_outer");
		await waitForText(inner, "one");
		first.crash();
		const second = open([]);
		expect(await second.recover()).toEqual([]);
		expect(await waitForResult(inner)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
	});

	it("ends as interrupted where it has paused in a version that saves no states, and was claimed", async () => {
		const first = open([{ partial: "one" }]);
		const id = await first.start({ nodes: [desk] });
		await waitForText(id, "one");
		first.crash();
		const saved = await store.runs.loadState(id);
		const { interruptions: _, ...context } = JSON.parse(saved?.resumeContext ?? "");
		await store.runs.append({
			...{ events: [], receipts: [] },
			states: [{ runId: id, state: saved?.state ?? "", resumeContext: JSON.stringify(context) }],
		});
		expect(await open([]).recover()).toEqual([]);
		expect(await waitForResult(id)).toMatchObject({ error: { code: "interrupted" } });
	});
});
