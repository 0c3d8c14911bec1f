import { type Approval, type ApprovalDecision, ConfigurationError, type RunResult } from "@stemma/core";
import type { EngineRun, SerializedRun } from "@stemma/engine";

/** What somebody said to an approval; nothing, when it stays open. */
export type LocalApprovalAnswer =
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
) => LocalApprovalAnswer | Promise<LocalApprovalAnswer>;

/** A run that goes on from its pauses as it is told. */
export interface ApprovedRun {
	/** That part of it which is under way, or was last. */
	readonly current: () => EngineRun;
	/** Its end, or a pause with approvals that stay open. */
	readonly result: Promise<RunResult>;
}

/** How a run is continued. */
export type Proceed = (saved: SerializedRun, decisions: readonly ApprovalDecision[]) => EngineRun;

/** Follows a run, asks at each pause, and continues it with the answers. What the question throws, `result` rejects with. */
export function followApprovals(
	first: EngineRun,
	proceed: Proceed,
	{
		onApproval,
		signal,
	}: { readonly onApproval: AskForApproval | undefined; readonly signal: AbortSignal | undefined },
): ApprovedRun {
	const asked = new Set<string>();
	let current = first;

	async function follow(ask: AskForApproval): Promise<RunResult> {
		for (;;) {
			const result = await current.result;
			const open = (result.approvals ?? []).filter(({ id }) => !asked.has(id));
			if (result.status !== "paused" || open.length === 0) return result;
			for (const { id } of open) asked.add(id);
			const decisions = await askAll(open, ask, signal);
			if (decisions.length === 0 && signal?.aborted !== true) return result;
			current = proceed(current.serialize(), decisions);
		}
	}

	return { current: () => current, result: onApproval === undefined ? first.result : follow(onApproval) };
}

/** The decisions; none after an abort. */
async function askAll(
	approvals: readonly Approval[],
	ask: AskForApproval,
	outer: AbortSignal | undefined,
): Promise<readonly ApprovalDecision[]> {
	const canceller = new AbortController();
	let stop = (): void => undefined;
	const stopped = new Promise<[]>((resolve) => {
		stop = () => {
			resolve([]);
			canceller.abort();
		};
	});
	if (outer?.aborted === true) return [];
	outer?.addEventListener("abort", stop);
	try {
		const { signal } = canceller;
		const answers = approvals.map(async (approval) => toDecisions(approval, await ask(approval, { signal })));
		return (await Promise.race([Promise.all(answers), stopped])).flat();
	} catch (error) {
		canceller.abort();
		throw error;
	} finally {
		outer?.removeEventListener("abort", stop);
	}
}

function toDecisions({ id, tool }: Approval, answer: LocalApprovalAnswer): ApprovalDecision[] {
	if (answer === undefined) return [];
	const { decision, reason } = typeof answer === "string" ? { decision: answer, reason: undefined } : answer;
	if (decision !== "approve" && decision !== "deny")
		throw new ConfigurationError(`\`onApproval\` gave ${JSON.stringify(answer)} for "${tool}".`, {
			hint: 'Give "approve", "deny", { decision, reason }, or nothing to leave it open.',
		});
	return [{ approval_id: id, decision, ...(reason === undefined ? {} : { reason }) }];
}
