import { type Approval, type ApprovalDecision, ConfigurationError, type RunResult } from "@stemma/core";
import type { EngineRun, SerializedRun } from "@stemma/engine";

/** Decision about an approval; `undefined` leaves it open. */
export type LocalApprovalDecision =
	| ApprovalDecision["decision"]
	| Pick<ApprovalDecision, "decision" | "reason">
	| undefined;

/**
 * Asked for each open approval when a run pauses: for all of them at once, and for each of them once.
 *
 * @param options - `signal` aborts when the answer is of no use any more: the run was cancelled, or another question failed.
 */
export type AskForApproval = (
	approval: Approval,
	options: { readonly signal: AbortSignal },
) => LocalApprovalDecision | Promise<LocalApprovalDecision>;

/** A run that goes on from its pauses as it is told. */
export interface ApprovedRun {
	/** Returns the segment of the run that is in progress, or the last one. */
	readonly current: () => EngineRun;
	/** Cancels the run, also while it waits for answers. */
	readonly cancel: () => void;
	/** End of the run, or a pause with approvals that stay open. */
	readonly result: Promise<RunResult>;
}

/** Continues a saved run with decisions. */
export type Resume = (saved: SerializedRun, decisions: readonly ApprovalDecision[]) => EngineRun;

export interface FollowOptions {
	readonly onApproval: AskForApproval | undefined;
	/** Cancels the run. */
	readonly signal: AbortSignal | undefined;
}

/** Follows a run, asks at each pause, and continues it with the answers. What the question throws, `result` rejects with. */
export function followApprovals(
	first: EngineRun,
	resume: Resume,
	{ onApproval, signal }: FollowOptions,
): ApprovedRun {
	let current = first;
	let isCancelled = false;
	let questions: AbortController | undefined;

	function cancel(): void {
		isCancelled = true;
		questions?.abort();
		current.cancel();
	}

	async function follow(ask: AskForApproval): Promise<RunResult> {
		const askedIds = new Set<string>();
		for (;;) {
			const result = await current.result;
			const pending = (result.approvals ?? []).filter(({ id }) => !askedIds.has(id));
			if (result.status !== "paused" || pending.length === 0) return result;
			for (const { id } of pending) askedIds.add(id);
			questions = new AbortController();
			const decisions = isCancelled ? [] : await requestDecisions(pending, ask, questions);
			if (decisions.length === 0 && !isCancelled) return result;
			current = resume(current.serialize(), decisions);
			if (isCancelled) current.cancel();
		}
	}

	const result = onApproval === undefined ? first.result : follow(onApproval);
	if (signal !== undefined) cancelOnAbort(signal, cancel, result);
	return { current: () => current, cancel, result };
}

/** Cancels a run when the signal aborts, until the run has ended. */
function cancelOnAbort(signal: AbortSignal, cancel: () => void, result: Promise<RunResult>): void {
	if (signal.aborted) return cancel();
	signal.addEventListener("abort", cancel);
	result.catch(() => undefined).then(() => signal.removeEventListener("abort", cancel));
}

/** The decisions; none after an abort. A question that fails aborts the others. */
async function requestDecisions(
	approvals: readonly Approval[],
	ask: AskForApproval,
	questions: AbortController,
): Promise<readonly ApprovalDecision[]> {
	const { signal } = questions;
	const cancelled = new Promise<[]>((resolve) => signal.addEventListener("abort", () => resolve([])));
	try {
		const decisions = approvals.map(async (approval) =>
			toDecisions(approval, await ask(approval, { signal })),
		);
		return (await Promise.race([Promise.all(decisions), cancelled])).flat();
	} catch (error) {
		questions.abort();
		throw error;
	}
}

function toDecisions({ id, tool }: Approval, given: LocalApprovalDecision): ApprovalDecision[] {
	if (given === undefined) return [];
	const { decision, reason } = typeof given === "string" ? { decision: given, reason: undefined } : given;
	if (decision !== "approve" && decision !== "deny")
		throw new ConfigurationError(`\`onApproval\` returned ${JSON.stringify(given)} for "${tool}".`, {
			option: "onApproval",
			hint: 'Return "approve", "deny", { decision, reason }, or undefined to leave it open.',
		});
	return [{ approval_id: id, decision, ...(reason === undefined ? {} : { reason }) }];
}
