import type { ApprovalDecision, ChatModel } from "@stemma/core";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { parseEvent, toDecision } from "@stemma/runs";
import type { TestInstance } from "../../store/postgres/test-support/test-instance";
import type { WorkspaceStore } from "../../store/workspace-store";
import type { ApprovalChange, RunApproval } from "../repositories/approval-repository";
import { Runs } from "../runs";
import { readResult } from "../stored-run";

const CALLER = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] } as const;

/** Events of a run that a watcher has seen. */
export interface SeenRun {
	text: string;
	readonly types: string[];
	readonly seqs: number[];
	readonly ended: Promise<void>;
}

/** Runs of a workspace on one instance. Their model says what the test tells it; their tools wait for the test. */
export class RunProcess {
	readonly instance: TestInstance;
	readonly store: WorkspaceStore;
	readonly runs: Runs;
	readonly failures: unknown[] = [];
	/** Tools that were called. */
	readonly called: string[] = [];
	/** Tools wait for it. */
	toolsMayEnd: Promise<void> = Promise.resolve();
	readonly #words: (string | undefined)[] = [];
	#wake: (() => void) | undefined;

	constructor(
		instance: TestInstance,
		store: WorkspaceStore,
		maxConcurrentRuns: number,
		resumesInterrupted = false,
	) {
		this.instance = instance;
		this.store = store;
		this.runs = new Runs({
			...{ repository: store.runs, approvals: store.approvals, claims: store.claims, maxConcurrentRuns },
			resumesInterrupted,
			countRunEnd: () => undefined,
			onFailure: (error) => this.failures.push(error),
		});
	}

	/** Makes the model of a run say a word, or end with `undefined`. */
	say(word: string | undefined): void {
		this.#words.push(word);
		this.#wake?.();
	}

	/** @param tools - number of tools that are called before the model, each after an approval. */
	async start(tools = 0): Promise<string> {
		const runnable = this.createAgent(tools);
		const { id } = await this.runs.start({
			agent: { id: "ag_1", slug: "desk", version: 1 },
			...{ runnable, input: { order: 7 }, context: {}, untrustedContext: false, background: true },
			resumeContext: { graph: runnable.graph, depth: 0, caller: CALLER },
		});
		return id;
	}

	async listApprovals(runId: string): Promise<readonly string[]> {
		const run = await this.store.runs.find(runId);
		const result = run && (await readResult(this.store.runs, run));
		return result?.approvals?.map(({ id }) => id) ?? [];
	}

	/** Approves of a tool of a run. @param tools - number of its tools. */
	approve(runId: string, approvalId: string, tools: number): Promise<void> {
		return this.resume(runId, tools, () => this.recordApproval(runId, approvalId));
	}

	/** Resumes a run with what was decided. @param decide - records decisions first. Default: none. */
	resume(
		runId: string,
		tools: number,
		decide: () => Promise<readonly ApprovalDecision[]> = async () => [],
	): Promise<void> {
		return this.runs.resume(runId, { decide, prepare: async () => this.createAgent(tools) });
	}

	/** Records an approval, and nothing else. */
	async recordApproval(runId: string, approvalId: string): Promise<readonly ApprovalDecision[]> {
		const change: ApprovalChange = {
			decision: { decision: "approve", reason: null, decided_by: "cl_1", decided_at: 1 },
			audit: { actor: "cl_1", action: "approval.approved", target: runId },
		};
		const decide = (approval: RunApproval | undefined) => (approval?.decision === null ? change : undefined);
		return (await this.store.approvals.decide(runId, [{ approvalId, decide }])).map(toDecision);
	}

	/** Resumes the runs that have paused just when decisions on them arrived, as the service does every few seconds. */
	async resumeUndelivered(tools: number): Promise<void> {
		for (const runId of this.runs.takeUndelivered()) await this.resume(runId, tools);
	}

	/** Ends what other instances have left. */
	recover(): Promise<void> {
		return this.store.claims.recovering(async () => void (await this.runs.recover()));
	}

	/** Resumes the runs that other instances have left. @param tools - number of their tools. */
	async resumeInterrupted(tools = 0): Promise<readonly string[]> {
		await this.recover();
		const found = this.runs.listInterrupted();
		for (const runId of found)
			await this.runs.resumeInterrupted(runId, { prepare: async () => this.createAgent(tools) });
		return found;
	}

	/** Watches a run from its begin. */
	watch(runId: string, untilEnd = false): SeenRun {
		const seen = { text: "", types: [] as string[], seqs: [] as number[] };
		const { signal } = new AbortController();
		const read = async (): Promise<void> => {
			for await (const events of this.runs.watch(runId, 0, signal, { untilEnd }))
				for (const event of events.map(parseEvent)) {
					seen.types.push(event.type);
					seen.seqs.push(event.seq);
					if (event.type === "text.delta") seen.text += event.text;
				}
		};
		return Object.assign(seen, { ended: read() });
	}

	createAgent(count: number): LocalAgent {
		const tools = Array.from({ length: count }, (_, index) => `tool_${index}`);
		const graph = {
			nodes: [
				{ id: "desk", kind: "coordinator" as const },
				...tools.map((id) => ({ id, kind: "tool" as const, tool: id, server: "http://a", approval: true })),
			],
			edges: tools.map((to) => ({ from: "desk", to, mode: "before" as const })),
		};
		return createLocalAgent(graph, {
			ports: {
				models: { resolve: () => ({ model: this.#model, payer: "none", reason: "" }) },
				tools: {
					describe: async () => ({ description: "", parameters: { type: "object" } }),
					call: async ({ tool, runId }) => {
						await this.runs.saveState(runId);
						this.called.push(tool);
						await this.toolsMayEnd;
						return { output: tool };
					},
				},
			},
		});
	}

	readonly #model: ChatModel = {
		...{ provider: "scripted", model: "script", vendorHost: "" },
		generate: () => Promise.reject(new Error("Only streams are used here.")),
		stream: (_, { signal } = {}) => this.#speak(signal),
	};

	async *#speak(signal: AbortSignal | undefined): ReturnType<ChatModel["stream"]> {
		let text = "";
		for (let word = await this.#next(signal); word !== undefined; word = await this.#next(signal)) {
			text += word;
			yield { type: "text.delta", text: word };
		}
		yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
	}

	async #next(signal: AbortSignal | undefined): Promise<string | undefined> {
		while (this.#words.length === 0) {
			signal?.throwIfAborted();
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
				signal?.addEventListener("abort", () => resolve(), { once: true });
			});
		}
		return this.#words.shift();
	}
}
