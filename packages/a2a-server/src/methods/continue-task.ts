import type { A2aMessage, A2aPart } from "@stemma/client/a2a";
import { A2aServerError, invalidParam } from "../a2a-server-error";
import { createRandomId } from "../create-random-id";
import { readDecisions } from "../requests/read-decisions";
import type { TaskDecision, TaskRecord, TaskStore } from "../task-store";
import type { TaskProgress } from "../tasks/task-progress";
import { isInterrupted, isTerminal } from "../tasks/task-states";
import { readProgress } from "../tasks/to-task";
import { assertReadable } from "../to-run-input";
import type { Call } from "./call";
import { findTask, quoteId } from "./find-task";
import { waitUntilResumed } from "./watch-task";

/** A task that a message was sent to, as it is now. */
export interface ContinuedTask {
	readonly record: TaskRecord;
	readonly progress: TaskProgress;
}

/**
 * Takes a message to a task (A2A 1.0.1, sections 3.4.3 and 7.6.1). Decisions on approvals let it go on; to any other message
 * a waiting task answers in its status how it is decided, and keeps waiting.
 *
 * @throws A2aServerError `TASK_NOT_FOUND`; `INVALID_PARAMS` for another context and for bad decisions;
 * `UNSUPPORTED_OPERATION` for a task that has ended or is under way.
 */
export async function continueTask(
	{ agent: { store }, signal }: Call,
	taskId: string,
	{ contextId, parts }: A2aMessage,
): Promise<ContinuedTask> {
	const record = await findTask(store, taskId);
	if (contextId !== undefined && contextId !== record.contextId)
		throw invalidParam("message.contextId", `The task ${quoteId(taskId)} belongs to another context.`);
	const progress = await readProgress(record);
	const { state } = progress.status;
	if (isTerminal(state)) throw createTaskEndedError(taskId, state);
	parts.forEach(assertReadable);
	const decisions = readDecisions(parts);
	if (decisions.length > 0 && store.decide !== undefined)
		return applyDecisions({ store, record, progress, signal }, store.decide, decisions);
	if (isInterrupted(state))
		return {
			record,
			progress: withStatusMessage(progress, decisions.length > 0 ? NOT_ALLOWED : NO_DECISION),
		};
	throw createTaskActiveError(taskId, state);
}

interface WaitingTask extends ContinuedTask {
	readonly store: TaskStore;
	readonly signal: AbortSignal;
}

async function applyDecisions(
	task: WaitingTask,
	decide: NonNullable<TaskStore["decide"]>,
	decisions: readonly TaskDecision[],
): Promise<ContinuedTask> {
	const { store, record } = task;
	const isResumed = await decide(record.taskId, decisions);
	const updated = await findTask(store, record.taskId);
	const progress = await readProgress(updated);
	// Its next event may still be on the way to the store.
	const isStale = isResumed && progress.seq === task.progress.seq && isInterrupted(progress.status.state);
	return {
		record: updated,
		progress: isStale ? await waitUntilResumed({ ...task, record: updated, progress }) : progress,
	};
}

const NO_DECISION = "The message contains no decision, so the task keeps waiting.";
const NOT_ALLOWED = "This credential may not decide, so the task keeps waiting.";

/** The status of a waiting task as an answer to a message: what came of it, then how the task is decided. */
function withStatusMessage(progress: TaskProgress, reason: string): TaskProgress {
	const { status, taskId, contextId } = progress;
	const [instructions, ...others] = status.message?.parts ?? [];
	const text: A2aPart = {
		text: instructions?.text === undefined ? reason : `${reason} ${instructions.text}`,
	};
	const message: A2aMessage = {
		messageId: createRandomId("msg"),
		role: "ROLE_AGENT",
		parts: [text, ...others],
		contextId,
		taskId,
	};
	return { ...progress, status: { ...status, message } };
}

const createTaskEndedError = (taskId: string, state: string): A2aServerError =>
	new A2aServerError("UNSUPPORTED_OPERATION", `The task ${quoteId(taskId)} has ended (${state}).`, {
		hint: "Send the message without a taskId, and with the contextId, for a new task in the same context.",
	});

const createTaskActiveError = (taskId: string, state: string): A2aServerError =>
	new A2aServerError(
		"UNSUPPORTED_OPERATION",
		`The task ${quoteId(taskId)} is still in progress (${state}) and accepts no further messages.`,
		{ hint: "Wait for it with SubscribeToTask, or send the message without a taskId to start another task." },
	);
