import type { A2aStreamResponse } from "@stemma/client/a2a";
import type { TaskRecord, TaskStore } from "../task-store";
import { reduceTask, type TaskStep } from "../tasks/reduce-task";
import type { TaskProgress } from "../tasks/task-progress";
import { isInterrupted, isTerminal } from "../tasks/task-states";
import { type TaskView, toTask } from "../tasks/to-task";

/** Task that is watched until it settles. */
export interface WatchedTask {
	readonly store: TaskStore;
	readonly record: TaskRecord;
	/** Progress of the task when watching began. */
	readonly progress: TaskProgress;
	/** Signal that aborts when the reader leaves; that ends only the watching. */
	readonly signal: AbortSignal;
}

/** True where a reader has nothing to wait for: the task has ended, or someone else has to do something. */
export const isSettled = ({ status: { state } }: TaskProgress): boolean =>
	isTerminal(state) || isInterrupted(state);

/** The steps that a task takes from here, up to the first after which `isDone`; all, where there is none. */
async function* followSteps(
	{ store, record, progress, signal }: WatchedTask,
	isDone: (progress: TaskProgress) => boolean,
): AsyncGenerator<TaskStep> {
	let step: TaskStep = { progress, updates: [] };
	for await (const events of store.watch(record.taskId, progress.seq, signal))
		for (const event of events) {
			step = reduceTask(step.progress, event);
			yield step;
			if (isDone(step.progress)) return;
		}
}

/** The progress of a task once `isDone`, or where its watching ended before. */
async function followUntil(
	task: WatchedTask,
	isDone: (progress: TaskProgress) => boolean,
): Promise<TaskProgress> {
	let { progress } = task;
	if (isDone(progress)) return progress;
	for await (const step of followSteps(task, isDone)) progress = step.progress;
	return progress;
}

/** Waits until a task has settled. */
export const waitUntilSettled = (task: WatchedTask): Promise<TaskProgress> => followUntil(task, isSettled);

/** Waits until a task that is decided goes on. */
export const waitUntilResumed = (task: WatchedTask): Promise<TaskProgress> =>
	followUntil(task, ({ status }) => !isInterrupted(status.state));

const hasEnded = ({ status }: TaskProgress): boolean => isTerminal(status.state);

/**
 * The task as it is, then its updates until it ends. A stream stays open while the task waits for an approval, which comes
 * by another way (A2A 1.0.1, section 7.6.1).
 */
export async function* streamTask(task: WatchedTask, view: TaskView = {}): AsyncGenerator<A2aStreamResponse> {
	const { record, progress } = task;
	yield { task: toTask(record, progress, view) };
	if (hasEnded(progress)) return;
	for await (const { updates } of followSteps(task, hasEnded)) yield* updates;
}
