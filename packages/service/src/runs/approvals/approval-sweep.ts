import { clock } from "@stemma/core/internal";
import { toDecision } from "@stemma/runs";
import { DomainError } from "../../errors/domain-error";
import type { ServiceKernel } from "../../kernel";
import { resumeRun } from "../resuming/resume-run";
import type { RunContext } from "../run-context";

/** Goes on with the runs that wait for nobody any more: nobody decided in time, or a crash came behind the decision. */
export async function sweepApprovals(
	kernel: ServiceKernel,
	onError: (error: unknown) => void,
): Promise<void> {
	for (const workspace of kernel.workspaces.list())
		for (const runId of await workspace.store.approvals.listRunsToResume(clock.now()))
			await resumeDue({ kernel, workspace }, runId).catch(toSweepFailure(onError));
}

/** Handler of failures that leaves runs to the next sweep where there is no room, or the service stops. */
const toSweepFailure =
	(onError: (error: unknown) => void) =>
	(error: unknown): void => {
		if (!(error instanceof DomainError)) onError(error);
	};

function resumeDue(context: Omit<RunContext, "caller">, runId: string): Promise<void> {
	const now = clock.now();
	return resumeRun(context, runId, async () =>
		(await context.workspace.store.approvals.expire(runId, now)).map(toDecision),
	);
}

/** Goes on with a paused run whose approvals were decided; where that fails, the next sweep does. */
export const resumeDecided = (
	context: Omit<RunContext, "caller">,
	runId: string,
	onError: (error: unknown) => void,
): Promise<void> => resumeRun(context, runId, async () => []).catch(toSweepFailure(onError));
