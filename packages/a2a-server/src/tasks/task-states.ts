import type { A2aTaskState } from "@stemma/client/a2a";

const TERMINAL: readonly A2aTaskState[] = [
	"TASK_STATE_COMPLETED",
	"TASK_STATE_FAILED",
	"TASK_STATE_CANCELED",
	"TASK_STATE_REJECTED",
];

const INTERRUPTED: readonly A2aTaskState[] = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];

/** In the order of the protocol, without `TASK_STATE_UNSPECIFIED`. */
export const TASK_STATES: readonly A2aTaskState[] = [
	"TASK_STATE_SUBMITTED",
	"TASK_STATE_WORKING",
	...TERMINAL,
	...INTERRUPTED,
];

/** Nothing happens in the task any more. */
export const isTerminal = (state: A2aTaskState): boolean => TERMINAL.includes(state);

/** The task waits for something from outside. */
export const isInterrupted = (state: A2aTaskState): boolean => INTERRUPTED.includes(state);
