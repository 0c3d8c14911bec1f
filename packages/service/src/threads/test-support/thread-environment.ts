import type { ChatModel } from "@stemma/core";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { Runs } from "../../runs/runs";
import { createWorkspaceStore } from "../../store/repositories/workspace-store";
import type { WorkspaceStore } from "../../store/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../../store/workspace-tables";
import { type PreparedTurn, readHistoryInTurn, toNewTurn } from "../prepare-turn";
import { toRunThread } from "../run-thread";
import { INTERRUPTED } from "../stored-thread";
import { ThreadTurns } from "../thread-turns";

const GRAPH = { nodes: [{ id: "desk", kind: "coordinator" }] } as const;
const CALLER = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] } as const;

/** Text that an answer is finished with. */
export const answerText = (answerId: string): string => `Answer ${answerId}`;

/** A workspace in memory with its runs and threads, in a process that a test lets crash. Models answer when they are told to. */
export class ThreadEnvironment {
	readonly store: WorkspaceStore;
	/** Conversation that the model of each answer got, by the answer's id. */
	readonly seen = new Map<string, readonly string[]>();
	/** Finishes the answers that a model is writing, by their ids. */
	readonly open = new Map<string, () => void>();
	#process: ThreadProcess;

	constructor() {
		this.store = createWorkspaceStore(openMemoryDatabase<WorkspaceTables>(workspaceMigrations));
		this.#process = new ThreadProcess(this.store);
	}

	/** Ends the process as `kill -9` does, and starts the next one as the service starts. */
	async crash(): Promise<void> {
		this.#process.isDead = true;
		this.open.clear();
		this.#process = new ThreadProcess(this.store);
		await this.store.threads.endInterrupted(INTERRUPTED, 9);
		await this.#process.runs.recover();
	}

	cancel = (runId: string): Promise<void> => this.#process.runs.cancel(runId);

	/** Starts a run that answers a message; resolves once both are stored. */
	async run(turn: PreparedTurn): Promise<void> {
		const runnable = this.#createAgent(turn.answerId);
		await this.#process.runs.start({
			agent: { id: "ag_1", slug: "desk", version: 1 },
			...{ runnable, input: turn.text, context: {}, untrustedContext: false, background: true },
			resumeContext: { graph: GRAPH, depth: 0, caller: CALLER },
			thread: toRunThread(this.#process.workspace, turn),
		});
	}

	/** Asks a question without a run; resolves once it is stored. */
	async ask(turn: PreparedTurn): Promise<void> {
		const { workspace } = this.#process;
		const answer = await workspace.threads.append(toNewTurn(turn, null));
		void this.#answer(turn, answer.signal, workspace).finally(answer.close);
	}

	async #answer(
		turn: PreparedTurn,
		signal: AbortSignal,
		workspace: ThreadProcess["workspace"],
	): Promise<void> {
		const { answerId } = turn;
		const end = (status: "completed" | "cancelled", text: string) =>
			workspace.store.threads.endMessage(answerId, { status, text }, 9);
		try {
			const history = await readHistoryInTurn(workspace, turn, signal);
			this.seen.set(answerId, [...history.map(({ content }) => content), turn.text]);
			await this.#untilFinished(answerId, signal);
			await end("completed", answerText(answerId));
		} catch {
			await end("cancelled", "");
		}
	}

	#createAgent(answerId: string): LocalAgent {
		const { seen } = this;
		const untilFinished = (signal?: AbortSignal) => this.#untilFinished(answerId, signal);
		const model: ChatModel = {
			...{ provider: "scripted", model: "script", vendorHost: "" },
			generate: () => Promise.reject(new Error("Only streams are used here.")),
			async *stream({ messages }, { signal } = {}) {
				seen.set(
					answerId,
					messages.map(({ content }) => String(content)),
				);
				yield { type: "text.delta", text: "Answer " };
				await untilFinished(signal);
				yield { type: "text.delta", text: answerId };
				yield { type: "finish", reply: { text: answerText(answerId), toolCalls: [], finishReason: "stop" } };
			},
		};
		return createLocalAgent(GRAPH, {
			ports: { models: { resolve: () => ({ model, payer: "none", reason: "" }) } },
		});
	}

	#untilFinished(answerId: string, signal: AbortSignal | undefined): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			this.open.set(answerId, resolve);
			signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
		}).finally(() => this.open.delete(answerId));
	}
}

/** One process over a store. A dead one writes nothing any more, and waits for ever. */
class ThreadProcess {
	isDead = false;
	readonly runs: Runs;
	readonly workspace: { readonly threads: ThreadTurns; readonly store: Pick<WorkspaceStore, "threads"> };

	constructor({ runs, approvals, threads }: WorkspaceStore) {
		const alive =
			<Parameters extends unknown[], Result>(work: (...parameters: Parameters) => Promise<Result>) =>
			(...parameters: Parameters): Promise<Result> =>
				this.isDead ? new Promise(() => undefined) : work(...parameters);
		const repository = { ...runs, append: alive(runs.append), insert: alive(runs.insert) };
		this.runs = new Runs({
			...{ repository, approvals, maxConcurrentRuns: 1000 },
			countRunEnd: () => undefined,
			onFailure(error) {
				throw error;
			},
		});
		const ownThreads = {
			...threads,
			appendTurn: alive(threads.appendTurn),
			startMessage: alive(threads.startMessage),
			endMessage: alive(threads.endMessage),
			listUnfinished: alive(threads.listUnfinished),
		};
		this.workspace = {
			threads: new ThreadTurns({ repository: ownThreads, runs: this.runs }),
			store: { threads: ownThreads },
		};
	}
}
