import type { A2aTaskState } from "@stemma/client/a2a";

const TERMINAL: readonly A2aTaskState[] = [
	"TASK_STATE_COMPLETED",
	"TASK_STATE_FAILED",
	"TASK_STATE_CANCELED",
	"TASK_STATE_REJECTED",
];

const INTERRUPTED: readonly A2aTaskState[] = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];

/** Task states, in the order of their numbers in `a2a.proto`. */
export const TASK_STATES: readonly A2aTaskState[] = [
	"TASK_STATE_UNSPECIFIED",
	"TASK_STATE_SUBMITTED",
	"TASK_STATE_WORKING",
	"TASK_STATE_COMPLETED",
	"TASK_STATE_FAILED",
	"TASK_STATE_CANCELED",
	"TASK_STATE_INPUT_REQUIRED",
	"TASK_STATE_REJECTED",
	"TASK_STATE_AUTH_REQUIRED",
];

/** Checks whether a task has ended: nothing more happens in it. */
export const isTerminal = (state: A2aTaskState): boolean => TERMINAL.includes(state);

/** The task waits for something from outside. */
export const isInterrupted = (state: A2aTaskState): boolean => INTERRUPTED.includes(state);
