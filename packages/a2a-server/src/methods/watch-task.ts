import type { A2aStreamResponse } from "@stemma/client/a2a";
import type { TaskRecord, TaskStore } from "../task-store";
import { followTask, type TaskStep } from "../tasks/follow-task";
import type { TaskProgress } from "../tasks/task-progress";
import { isInterrupted, isTerminal } from "../tasks/task-states";
import { type TaskView, toTask } from "../tasks/to-task";

export interface WatchedTask {
	readonly store: TaskStore;
	readonly record: TaskRecord;
	/** What was known of it at first. */
	readonly progress: TaskProgress;
	/** Whoever leaves ends the watching, and nothing else. */
	readonly signal: AbortSignal;
}

/** True where a reader has nothing to wait for: the task has ended, or someone else has to do something. */
export const isSettled = ({ status: { state } }: TaskProgress): boolean =>
	isTerminal(state) || isInterrupted(state);

/** The steps that a task takes from here until it settles, also where it is settled and may go on. */
async function* followSteps({ store, record, progress, signal }: WatchedTask): AsyncGenerator<TaskStep> {
	let step: TaskStep = { progress, updates: [] };
	for await (const events of store.watch(record.taskId, progress.seq, signal))
		for (const event of events) {
			const { state } = step.progress.status;
			step = followTask(step.progress, event);
			yield step;
			if (step.progress.status.state !== state && isSettled(step.progress)) return;
		}
}

/** Waits until a task has settled. */
export async function settleTask(task: WatchedTask): Promise<TaskProgress> {
	let { progress } = task;
	if (isSettled(progress)) return progress;
	for await (const step of followSteps(task)) progress = step.progress;
	return progress;
}

/** The task as it is, then its updates until it settles; with `resumes` also those of one that waits, once it goes on. */
export async function* streamTask(
	task: WatchedTask,
	{ resumes = false, ...view }: TaskView & { readonly resumes?: boolean } = {},
): AsyncGenerator<A2aStreamResponse> {
	const { record, progress } = task;
	yield { task: toTask(record, progress, view) };
	if (resumes ? isTerminal(progress.status.state) : isSettled(progress)) return;
	for await (const { updates } of followSteps(task)) yield* updates;
}
