import { clock } from "@stemma/core/internal";
import { toDecision } from "@stemma/runs";
import { DomainError } from "../../errors/domain-error";
import type { ServiceKernel } from "../../kernel";
import type { Workspace } from "../../workspaces/workspace";
import { type DecideApprovals, resumeRun } from "../resume-run";
import { listExpired, listRunsToResume, recordDecision } from "./approval-rows";

/** Goes on with the runs that wait for nobody any more: nobody decided in time, or a crash came behind the decision. */
export async function sweepApprovals(
	kernel: ServiceKernel,
	onError: (error: unknown) => void,
): Promise<void> {
	for (const workspace of kernel.workspaces.list())
		for (const runId of await listRunsToResume(workspace.database.read, clock.now()))
			await resumeDue({ kernel, workspace }, runId).catch((error: unknown) => {
				// Where there is no room, or the service stops, there is a next time.
				if (!(error instanceof DomainError)) onError(error);
			});
}

const resumeDue = (
	runContext: { readonly kernel: ServiceKernel; readonly workspace: Workspace },
	runId: string,
): Promise<void> => resumeRun(runContext, runId, expireApprovals(runId, clock.now()));

/** Expires undecided approvals. The audit gets no entry, because there is no author. */
const expireApprovals =
	(runId: string, now: number): DecideApprovals =>
	async (transaction) => {
		const expired = await listExpired(transaction, runId, now);
		const decision = { decision: "expire", reason: null, decided_by: null, decided_at: now } as const;
		for (const approval of expired) await recordDecision(transaction, approval, decision);
		return expired.map(({ id }) => toDecision({ id, ...decision }));
	};
