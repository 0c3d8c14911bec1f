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
import type { RequestScope } from "../request-scope";
import { readEvents } from "../runs/events/sqlite-run-store";
import type { ClaimRunId } from "../runs/runs";
import { startAgentRun } from "../runs/start-agent-run";
import { toVisibleEvent, visibilityOf } from "../runs/visibility";
import { createContextId, isSecretContextId } from "./context-id";
import { decideTask } from "./decide-task";
import { messageIdReused, toMessageKey } from "./message-key";
import { createPushConfigStore } from "./push-config-store";
import { notForClientKeys, taskNotFound } from "./task-errors";
import { toRunId, toTaskId } from "./task-id";
import { createTaskRepository, findRunOfMessage, insertTask, type TaskRow } from "./task-rows";

const ALL_EVENTS = Number.MAX_SAFE_INTEGER;

/** Task store of one agent: a server sees all tasks of the workspace, a client key only its own. */
export class AgentTaskStore implements TaskStore {
	/** Undefined where the caller may not decide. */
	readonly decide: TaskStore["decide"];
	readonly pushConfigs: PushConfigStore | undefined;
	readonly #scope: RequestScope;
	readonly #agent: StoredAgent;
	readonly #readVisitor: () => string | undefined;
	readonly #tasks: TaskRepository<TaskRow>;

	/** @param readVisitor - throws for a secret of a visitor that cannot be one. */
	constructor(scope: RequestScope, agent: StoredAgent, readVisitor: () => string | undefined) {
		const { caller, workspace } = scope;
		const { pushNotifications, database } = workspace;
		this.#scope = scope;
		this.#agent = agent;
		this.#readVisitor = readVisitor;
		this.#tasks = createTaskRepository(database.read, { agentId: agent.id, startedBy: caller.id });
		if (caller.scopes.includes("runs:approve"))
			this.decide = async (taskId: string, decisions: readonly TaskDecision[]) =>
				decideTask(scope, (await this.#getRow(taskId)).run_id, decisions);
		if (pushNotifications.configs.isAvailableTo(caller))
			this.pushConfigs = createPushConfigStore(pushNotifications, caller, (taskId) => this.#getRow(taskId));
	}

	async start(start: TaskStart): Promise<TaskRecord> {
		const { caller, workspace, kernel } = this.#scope;
		const { configs, deliveries } = workspace.pushNotifications;
		const { input, pushConfig } = start;
		if (pushConfig !== undefined) await configs.check(caller, pushConfig.url);
		// Nobody needs to watch: tasks are asked for, and pushed.
		const request = { agentIdOrSlug: this.#agent.id, input, background: true };
		const { id } = await startAgentRun(this.#scope, request, this.#claimTask(start));
		if (pushConfig !== undefined) deliveries.deliver({ run_id: id, id: pushConfig.id });
		return this.#toRecord(await this.#getRow(toTaskId(id, caller, kernel.fingerprint)));
	}

	async findByMessage(messageId: string): Promise<TaskRecord | undefined> {
		// What a client key sends is known again by all that it says: `start` has that.
		if (this.#scope.caller.kind === "client_key") return undefined;
		const row = await this.#tasks.findByMessage(messageId);
		return row && this.#toRecord(row);
	}

	async find(taskId: string): Promise<TaskRecord | undefined> {
		const row = await this.#findRow(taskId);
		return row && this.#toRecord(row);
	}

	async list(query: TaskQuery): Promise<TaskPage> {
		if (this.#scope.caller.kind === "client_key") throw notForClientKeys();
		return listTasks(this.#tasks, query, this.#toRecord);
	}

	async *readConversation(contextId: string): AsyncGenerator<TaskRecord> {
		const { caller, kernel } = this.#scope;
		if (!isSecretContextId(contextId, caller, kernel.fingerprint)) return;
		for await (const row of readConversation(this.#tasks, contextId)) yield this.#toRecord(row);
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
		const { run_id } = await this.#getRow(taskId);
		for await (const events of runs.watch(run_id, after, signal, { untilEnd: true })) {
			const visible = this.#toVisible(events);
			if (visible.length > 0) yield visible;
		}
	}

	async cancel(taskId: string): Promise<void> {
		await this.#scope.workspace.runs.cancel((await this.#getRow(taskId)).run_id);
	}

	async #findRow(taskId: string): Promise<TaskRow | undefined> {
		const { caller, kernel } = this.#scope;
		const runId = toRunId(taskId, caller, kernel.fingerprint);
		const row = runId === undefined ? undefined : await this.#tasks.find(runId);
		return caller.kind === "client" || row?.started_by === caller.id ? row : undefined;
	}

	async #getRow(taskId: string): Promise<TaskRow> {
		const row = await this.#findRow(taskId);
		if (row === undefined) throw taskNotFound();
		return row;
	}

	/** The task is there when its run is, or neither. */
	#claimTask({ message, contextId, pushConfig }: TaskStart): ClaimRunId {
		const { caller, workspace, kernel } = this.#scope;
		const sender = { caller, visitor: this.#readVisitor() };
		const { key, isShared } = toMessageKey(message, sender, kernel.fingerprint);
		const source = { agent_id: this.#agent.id, started_by: caller.id, message_key: key };
		return async (run_id, transaction) => {
			const existingRunId = await findRunOfMessage(transaction, source);
			if (existingRunId !== undefined && isShared) throw messageIdReused();
			if (existingRunId !== undefined) return { kind: "existing", runId: existingRunId };
			await insertTask(transaction, {
				...source,
				run_id,
				context_id: contextId,
				message: JSON.stringify(message),
				status_at: clock.now(),
			});
			if (pushConfig !== undefined)
				await workspace.pushNotifications.configs.put(transaction, caller, { ...pushConfig, taskId: run_id });
			return { kind: "new" };
		};
	}

	readonly #toRecord = (row: TaskRow): TaskRecord => {
		const { caller, workspace, kernel } = this.#scope;
		// Where the run has ended, its last event has all that became of it.
		const after = row.ended_at === null ? 0 : row.last_seq - 1;
		return {
			taskId: toTaskId(row.run_id, caller, kernel.fingerprint),
			contextId: row.context_id,
			message: JSON.parse(row.message),
			createdAt: new Date(row.created_at).toISOString(),
			events: async () =>
				this.#toVisible(await readEvents(workspace.database, row.run_id, after, ALL_EVENTS)),
		};
	};

	#toVisible(events: readonly EventRecord[]): WireRunEvent[] {
		const visibility = visibilityOf(this.#scope.caller);
		return events.flatMap((event) => toVisibleEvent(parseEvent(event), visibility) ?? []);
	}
}
