import type { TaskRecord, TaskStart, TaskStore } from "@stemma/a2a-server";
import type { StoredAgent, WireRunEvent } from "@stemma/client";
import type { A2aMessage } from "@stemma/client/a2a";
import { clock } from "@stemma/core/internal";
import { type EventRecord, parseEvent } from "@stemma/runs";
import type { RequestScope } from "../request-scope";
import { readEvents } from "../runs/events/sqlite-run-store";
import type { ClaimRunId } from "../runs/runs";
import { startAgentRun } from "../runs/start-agent-run";
import { toVisibleEvent, visibilityOf } from "../runs/visibility";
import { createContextId, isSecretContextId } from "./context-id";
import { decideTask } from "./decide-task";
import { messageIdReused, toMessageKey } from "./message-key";
import { createPushConfigStore } from "./push-config-store";
import { notForClientKeys, readPageToken, taskNotFound, toPageToken } from "./task-errors";
import { toRunId, toTaskId } from "./task-id";
import {
	countTasks,
	findCompletedTask,
	findRunOfMessage,
	findTask,
	insertTask,
	listTasks,
	type MessageSource,
	type TaskRow,
} from "./task-rows";

const ALL_EVENTS = Number.MAX_SAFE_INTEGER;

/** Creates the task store of one agent: a server sees all tasks of the workspace, a client key only its own. @param readVisitor - throws for a secret of a visitor that cannot be one. */
export function createTaskStore(
	scope: RequestScope,
	agent: StoredAgent,
	readVisitor: () => string | undefined,
): TaskStore {
	const { database, runs, pushNotifications } = scope.workspace;
	const { fingerprint, shutdownSignal } = scope.kernel;
	const caller = scope.caller;
	const visibility = visibilityOf(caller);
	const toVisible = (events: readonly EventRecord[]): WireRunEvent[] =>
		events.flatMap((event) => toVisibleEvent(parseEvent(event), visibility) ?? []);

	const toRecord = (row: TaskRow): TaskRecord => ({
		taskId: toTaskId(row.run_id, caller, fingerprint),
		contextId: row.context_id,
		// Only messages of the protocol are kept.
		message: JSON.parse(row.message) as A2aMessage,
		createdAt: new Date(row.created_at).toISOString(),
		// Where the run has ended, its last event has all that became of it.
		events: async () =>
			toVisible(
				await readEvents(database, row.run_id, row.ended_at === null ? 0 : row.last_seq - 1, ALL_EVENTS),
			),
	});

	async function findRow(taskId: string): Promise<TaskRow | undefined> {
		const runId = toRunId(taskId, caller, fingerprint);
		const row = runId === undefined ? undefined : await findTask(database.read, runId);
		const isVisible =
			row?.agent_id === agent.id && (caller.kind === "client" || row.started_by === caller.id);
		return isVisible ? row : undefined;
	}

	async function getRow(taskId: string): Promise<TaskRow> {
		const row = await findRow(taskId);
		if (row === undefined) throw taskNotFound();
		return row;
	}

	/** The task is there when its run is, or neither. */
	function claimTask({ message, contextId, pushConfig }: TaskStart): ClaimRunId {
		const sender = { caller, visitor: readVisitor() };
		const { key, isShared } = toMessageKey(message, sender, fingerprint);
		const source: MessageSource = { agent_id: agent.id, started_by: caller.id, message_key: key };
		return async (runId, transaction) => {
			const existingRunId = await findRunOfMessage(transaction, source);
			if (existingRunId !== undefined && isShared) throw messageIdReused();
			if (existingRunId !== undefined) return { kind: "existing", runId: existingRunId };
			const task = {
				...source,
				run_id: runId,
				context_id: contextId,
				message: JSON.stringify(message),
				status_at: clock.now(),
			};
			await insertTask(transaction, task);
			if (pushConfig !== undefined)
				await pushNotifications.configs.put(transaction, caller, { ...pushConfig, taskId: runId });
			return { kind: "new" };
		};
	}

	return {
		async start(start) {
			const { input, pushConfig } = start;
			if (pushConfig !== undefined) await pushNotifications.configs.check(caller, pushConfig.url);
			// Nobody needs to watch: tasks are asked for, and pushed.
			const request = { agentIdOrSlug: agent.id, input, background: true };
			const { id } = await startAgentRun(scope, request, claimTask(start));
			if (pushConfig !== undefined) pushNotifications.deliveries.deliver({ run_id: id, id: pushConfig.id });
			return toRecord(await getRow(toTaskId(id, caller, fingerprint)));
		},
		async findByMessage(messageId) {
			// What a client key sends is known again by all that it says: `start` has that.
			if (caller.kind === "client_key") return undefined;
			const runId = await findRunOfMessage(database.read, {
				agent_id: agent.id,
				started_by: caller.id,
				message_key: messageId,
			});
			const row = runId === undefined ? undefined : await findTask(database.read, runId);
			return row && toRecord(row);
		},
		async find(taskId) {
			const row = await findRow(taskId);
			return row && toRecord(row);
		},
		async list({ limit, after, ...filters }) {
			if (caller.kind === "client_key") throw notForClientKeys();
			const cursor = after === undefined ? undefined : readPageToken(after);
			const filter = { ...filters, agentId: agent.id };
			const [rows, total] = await Promise.all([
				listTasks(database.read, { ...filter, limit, after: cursor }),
				countTasks(database.read, filter),
			]);
			const tasks = rows.slice(0, limit);
			const last = rows.length > limit ? tasks.at(-1) : undefined;
			return { tasks: tasks.map(toRecord), total, ...(last && { next: toPageToken(last) }) };
		},
		async *readConversation(contextId) {
			if (!isSecretContextId(contextId, caller, fingerprint)) return;
			const conversation = { agent_id: agent.id, started_by: caller.id, context_id: contextId };
			const next = (before?: string) => findCompletedTask(database.read, conversation, before);
			for (let row = await next(); row !== undefined; row = await next(row.run_id)) yield toRecord(row);
		},
		createContextId: () => createContextId(caller, fingerprint),
		async *watch(taskId, after, signal) {
			const { run_id } = await getRow(taskId);
			for await (const events of runs.watch(run_id, after, AbortSignal.any([signal, shutdownSignal]), {
				untilEnd: true,
			})) {
				const visible = toVisible(events);
				if (visible.length > 0) yield visible;
			}
		},
		async cancel(taskId) {
			await runs.cancel((await getRow(taskId)).run_id);
		},
		decide: caller.scopes.includes("runs:approve")
			? async (taskId, decisions) => decideTask(scope, (await getRow(taskId)).run_id, decisions)
			: undefined,
		pushConfigs: pushNotifications.configs.isAvailableTo(caller)
			? createPushConfigStore(pushNotifications, caller, getRow)
			: undefined,
	};
}
