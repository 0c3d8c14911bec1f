import type { A2aTaskState } from "@stemma/client/a2a";
import { StemmaError } from "@stemma/core";
import type { RedactText } from "../secrets/secret-redactor";
import type { A2aAnswer } from "./a2a-answer";

interface TerminalState {
	readonly code: string;
	/** Description of the state, which errors put after the agent's name. */
	readonly what: string;
	readonly hint?: string;
	/** The task has not ended: it waits there. */
	readonly isOpen: boolean;
}

/** States in which a task ends or waits without an answer. */
const TERMINAL_STATES: { readonly [State in A2aTaskState]?: TerminalState } = {
	TASK_STATE_FAILED: { code: "remote_failed", what: "failed", isOpen: false },
	TASK_STATE_REJECTED: { code: "remote_rejected", what: "rejected the task", isOpen: false },
	TASK_STATE_CANCELED: {
		code: "remote_cancelled",
		what: "was stopped: the task was cancelled there",
		isOpen: false,
	},
	TASK_STATE_INPUT_REQUIRED: {
		code: "remote_input_required",
		what: "asks for more input before it continues, which graphs cannot give",
		hint: "Pass all that it needs in its input.",
		isOpen: true,
	},
	TASK_STATE_AUTH_REQUIRED: {
		code: "remote_auth_required",
		what: "asks for authorization or an approval before it continues, which graphs cannot give",
		hint: "Authorize it beforehand, name a secret in `auth` of the node, or put `approval` on the node instead of its agent's tools.",
		isOpen: true,
	},
};

const CUT_OFF: TerminalState = {
	code: "remote_cut_off",
	what: "ended its stream before its answer was complete",
	isOpen: true,
};

/** A task is under way there, or waits, and nobody wants it any more. */
export const needsCancel = (answer: A2aAnswer): boolean =>
	answer.taskId !== undefined && !isComplete(answer) && (findTerminalState(answer) ?? CUT_OFF).isOpen;

/** @throws StemmaError for any other end, with what the agent said. */
export function assertComplete(answer: A2aAnswer, agent: string, redactText: RedactText): void {
	if (isComplete(answer)) return;
	const { code, what, hint } = findTerminalState(answer) ?? CUT_OFF;
	const statusText = redactText(describeStatus(answer)).slice(0, 1000);
	throw new StemmaError(`The agent ${agent} ${what}${statusText === "" ? "." : `: ${statusText}`}`, {
		code,
		hint,
	});
}

const isComplete = ({ taskId, status, artifacts }: A2aAnswer): boolean =>
	taskId === undefined ? artifacts.size > 0 : status?.state === "TASK_STATE_COMPLETED";

/** A state may have any name. */
const findTerminalState = ({ status }: A2aAnswer): TerminalState | undefined =>
	status !== undefined && Object.hasOwn(TERMINAL_STATES, status.state)
		? TERMINAL_STATES[status.state]
		: undefined;

/** Returns the text of the agent's last status, in one line. */
const describeStatus = ({ status }: A2aAnswer): string =>
	(status?.message?.parts ?? [])
		.map(({ text = "" }) => text)
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();
