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
	/** End of the run, or a pause with approvals that stay open. */
	readonly result: Promise<RunResult>;
}

/** Continues a saved run with decisions. */
export type Resume = (saved: SerializedRun, decisions: readonly ApprovalDecision[]) => EngineRun;

/** Follows a run, asks at each pause, and continues it with the answers. What the question throws, `result` rejects with. */
export function followApprovals(
	first: EngineRun,
	resume: Resume,
	{
		onApproval,
		signal,
	}: { readonly onApproval: AskForApproval | undefined; readonly signal: AbortSignal | undefined },
): ApprovedRun {
	const askedIds = new Set<string>();
	let current = first;

	async function follow(ask: AskForApproval): Promise<RunResult> {
		for (;;) {
			const result = await current.result;
			const pending = (result.approvals ?? []).filter(({ id }) => !askedIds.has(id));
			if (result.status !== "paused" || pending.length === 0) return result;
			for (const { id } of pending) askedIds.add(id);
			const decisions = await requestDecisions(pending, ask, signal);
			if (decisions.length === 0 && signal?.aborted !== true) return result;
			current = resume(current.serialize(), decisions);
		}
	}

	return { current: () => current, result: onApproval === undefined ? first.result : follow(onApproval) };
}

/** The decisions; none after an abort. */
async function requestDecisions(
	approvals: readonly Approval[],
	ask: AskForApproval,
	runSignal: AbortSignal | undefined,
): Promise<readonly ApprovalDecision[]> {
	const controller = new AbortController();
	let stop = (): void => undefined;
	const cancelled = new Promise<[]>((resolve) => {
		stop = () => {
			resolve([]);
			controller.abort();
		};
	});
	if (runSignal?.aborted === true) return [];
	runSignal?.addEventListener("abort", stop);
	try {
		const { signal } = controller;
		const decisions = approvals.map(async (approval) =>
			toDecisions(approval, await ask(approval, { signal })),
		);
		return (await Promise.race([Promise.all(decisions), cancelled])).flat();
	} catch (error) {
		controller.abort();
		throw error;
	} finally {
		runSignal?.removeEventListener("abort", stop);
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
