import type {
	PushConfigStore,
	TaskDecision,
	TaskPage,
	TaskQuery,
	TaskRecord,
	TaskStart,
	TaskStore,
} from "@stemma/a2a-server";
import type { StoredAgent, WireRunEvent } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { type EventRecord, parseEvent, type TaskRepository } from "@stemma/runs";
import { listTasks, readConversation } from "@stemma/runs/tasks/read-tasks";
import { linkEvent } from "../answering/document-links";
import type { RequestScope } from "../request-scope";
import type { InsertRun } from "../runs/run-requests";
import { startAgentRun } from "../runs/start-agent-run";
import { seesAllRuns, toVisibleEvent, visibilityOf } from "../runs/visibility";
import { createContextId, isSecretContextId } from "./context-id";
import { decideTask } from "./decide-task";
import { messageIdReused, toMessageKey } from "./message-key";
import { createPushConfigStore } from "./push-config-store";
import type { WorkspaceTask } from "./repositories/task-repository";
import { notForClientKeys, taskNotFound } from "./task-errors";
import { toRunId, toTaskId } from "./task-id";

const ALL_EVENTS = Number.MAX_SAFE_INTEGER;

/** Task store of one agent: a server sees all tasks of the workspace, a client key only its own. */
export class AgentTaskStore implements TaskStore {
	/** Undefined where the caller may not decide. */
	readonly decide: TaskStore["decide"];
	readonly pushConfigs: PushConfigStore | undefined;
	readonly #scope: RequestScope;
	readonly #agent: StoredAgent;
	readonly #readVisitor: () => string | undefined;
	readonly #tasks: TaskRepository<WorkspaceTask>;

	/** @param readVisitor - throws for a secret of a visitor that cannot be one. */
	constructor(scope: RequestScope, agent: StoredAgent, readVisitor: () => string | undefined) {
		const { caller, workspace } = scope;
		const { pushNotifications, store } = workspace;
		this.#scope = scope;
		this.#agent = agent;
		this.#readVisitor = readVisitor;
		this.#tasks = store.tasks.forAgent({
			...{ agentId: agent.id, startedBy: caller.id },
			// A person without approvals sees their own, as in the list of runs.
			ownOnly: caller.kind === "user" && !seesAllRuns(caller),
		});
		if (caller.scopes.includes("runs:approve"))
			this.decide = async (taskId: string, decisions: readonly TaskDecision[]) =>
				decideTask(scope, (await this.#getTask(taskId)).run_id, decisions);
		if (pushNotifications.configs.isAvailableTo(caller))
			this.pushConfigs = createPushConfigStore(pushNotifications, caller, (taskId) => this.#getTask(taskId));
	}

	async start(start: TaskStart): Promise<TaskRecord> {
		const { caller, workspace, kernel } = this.#scope;
		const { configs, deliveries } = workspace.pushNotifications;
		const { input, pushConfig } = start;
		if (pushConfig !== undefined) await configs.check(caller, pushConfig.url);
		// Nobody needs to watch: tasks are asked for, and pushed.
		const request = { agentIdOrSlug: this.#agent.id, input, background: true };
		const { id } = await startAgentRun(this.#scope, request, this.#insertTask(start));
		if (pushConfig !== undefined) deliveries.deliver({ run_id: id, id: pushConfig.id });
		return this.#toRecord(await this.#getTask(toTaskId(id, caller, kernel.fingerprint)));
	}

	async findByMessage(messageId: string): Promise<TaskRecord | undefined> {
		// What a client key sends is known again by all that it says: `start` has that.
		if (this.#scope.caller.kind === "client_key") return undefined;
		const task = await this.#tasks.findByMessage(messageId);
		return task && this.#toRecord(task);
	}

	async find(taskId: string): Promise<TaskRecord | undefined> {
		const task = await this.#findTask(taskId);
		return task && this.#toRecord(task);
	}

	async list(query: TaskQuery): Promise<TaskPage> {
		if (this.#scope.caller.kind === "client_key") throw notForClientKeys();
		return listTasks(this.#tasks, query, this.#toRecord);
	}

	async *readConversation(contextId: string): AsyncGenerator<TaskRecord> {
		const { caller, kernel } = this.#scope;
		if (!isSecretContextId(contextId, caller, kernel.fingerprint)) return;
		for await (const task of readConversation(this.#tasks, contextId)) yield this.#toRecord(task);
	}

	createContextId(): string {
		return createContextId(this.#scope.caller, this.#scope.kernel.fingerprint);
	}

	async *watch(
		taskId: string,
		after: number,
		callerSignal: AbortSignal,
	): AsyncGenerator<readonly WireRunEvent[]> {
		const { runs } = this.#scope.workspace;
		const signal = AbortSignal.any([callerSignal, this.#scope.kernel.shutdownSignal]);
		const { run_id } = await this.#getTask(taskId);
		for await (const events of runs.watch(run_id, after, signal, { untilEnd: true })) {
			const visible = this.#toVisible(events);
			if (visible.length > 0) yield visible;
		}
	}

	async cancel(taskId: string): Promise<void> {
		await this.#scope.workspace.runs.cancel((await this.#getTask(taskId)).run_id);
	}

	async #findTask(taskId: string): Promise<WorkspaceTask | undefined> {
		const { caller, kernel } = this.#scope;
		const runId = toRunId(taskId, caller, kernel.fingerprint);
		const task = runId === undefined ? undefined : await this.#tasks.find(runId);
		return seesAllRuns(caller) || task?.started_by === caller.id ? task : undefined;
	}

	async #getTask(taskId: string): Promise<WorkspaceTask> {
		const task = await this.#findTask(taskId);
		if (task === undefined) throw taskNotFound();
		return task;
	}

	/** The task is there when its run is, or neither. */
	#insertTask({ message, contextId, pushConfig }: TaskStart): InsertRun {
		const { caller, workspace, kernel } = this.#scope;
		const sender = { caller, visitor: this.#readVisitor() };
		const { key, isShared } = toMessageKey(message, sender, kernel.fingerprint);
		return async (run, admit) => {
			const task = { context_id: contextId, message_key: key, message, status_at: clock.now() };
			const stored =
				pushConfig &&
				workspace.pushNotifications.configs.create(caller, { ...pushConfig, taskId: run.id }, { count: 0 });
			const claim = await workspace.store.tasks.insert(run, admit, task, stored);
			if (claim.kind === "existing" && isShared) throw messageIdReused();
			return claim;
		};
	}

	readonly #toRecord = (task: WorkspaceTask): TaskRecord => {
		const { caller, workspace, kernel } = this.#scope;
		// Where the run has ended, its last event has all that became of it.
		const after = task.ended_at === null ? 0 : task.last_seq - 1;
		return {
			taskId: toTaskId(task.run_id, caller, kernel.fingerprint),
			contextId: task.context_id,
			message: task.message,
			createdAt: new Date(task.created_at).toISOString(),
			events: async () =>
				this.#toVisible(await workspace.store.runs.readEvents(task.run_id, after, ALL_EVENTS)),
		};
	};

	#toVisible(events: readonly EventRecord[]): WireRunEvent[] {
		const { caller, documentLinks } = this.#scope;
		const visibility = visibilityOf(caller);
		return events.flatMap((event) => {
			const visible = toVisibleEvent(parseEvent(event), visibility);
			return visible === undefined ? [] : [linkEvent(visible, documentLinks)];
		});
	}
}
