import { DBOS, Error as DBOSErrors } from "@dbos-inc/dbos-sdk";
import type { ApprovalDecision } from "@stemma/core";
import type { Journal } from "./journal";

/** Topic of the messages with decisions. */
export const DECISIONS = "stemma.decisions";
/** Key of the event with the open approvals. */
export const APPROVALS = "stemma.approvals";

/** The journal of the DBOS workflow that is being executed: its steps, messages and events. */
export const dbosJournal: Journal = {
	isOpen: true,
	step: (name, perform) => DBOS.runStep(() => perform(DBOS.stepStatus?.cancelSignal), { name }),
	showApprovals: (approvals) => DBOS.setEvent(APPROVALS, approvals),
	async receiveDecisions(ms) {
		const options = { timeoutSeconds: ms / 1000 };
		return (await DBOS.recv<readonly ApprovalDecision[]>(DECISIONS, options)) ?? undefined;
	},
	isCancellation: (error) => error instanceof DBOSErrors.DBOSWorkflowCancelledError,
};

/** Checks whether an error says that this process shuts down, and nothing of the run. */
export const isShutdown = (error: unknown): boolean =>
	error instanceof DBOSErrors.DBOSError && error.message === "The system database has been shut down";
