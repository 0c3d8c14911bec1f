import { ApiError, ConnectionError, TimeoutError } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { clock, quote } from "@stemma/core/internal";
import type { Run } from "../../runs/run";
import { HttpError } from "../http-error";
import { forwardError, toServiceError } from "./service-error";

/**
 * Decides on approvals of a run, one after the other; all are checked before the first. The same decision again changes
 * nothing.
 *
 * @throws HttpError `approval_not_found`, `approval_decided`, `approval_expired`, `run_ended`; what the service answers for
 * a run there.
 */
export async function decideApprovals(run: Run, decisions: readonly ApprovalDecision[]): Promise<void> {
	const open = decisions.filter(({ approval_id, decision }) => run.findDecision(approval_id) !== decision);
	for (const { approval_id } of open) assertOpen(run, approval_id);
	for (const decision of open) await decide(run, decision);
}

async function decide(run: Run, decision: ApprovalDecision): Promise<void> {
	try {
		await run.decide(decision);
	} catch (error) {
		if (isStemmaError(error) && error.code === "approval_not_found")
			throw notFound(run.id, decision.approval_id);
		throw toDecisionError(error, run) ?? error;
	}
}

/**
 * Converts a service's error about an approval to an HTTP error. Its answer about the run there is passed on; its
 * complaints about our credentials are not.
 */
function toDecisionError(error: unknown, { subject: { agentId } }: Run): HttpError | undefined {
	if (ApiError.is(error) && [404, 409, 410].includes(error.status)) return forwardError(error);
	const isServiceError = ApiError.is(error) || ConnectionError.is(error) || TimeoutError.is(error);
	return isServiceError ? toServiceError(error, quote(agentId), "runs:approve") : undefined;
}

function assertOpen(run: Run, id: string): void {
	const decided = run.findDecision(id);
	if (decided !== undefined) throw alreadyDecided(id, decided);
	const { result, paused } = run;
	if (result?.status !== undefined) throw runEnded(run.id, result.status);
	if (paused === undefined) return;
	const approval = paused.approvals?.find((open) => open.id === id);
	if (approval === undefined) throw notFound(run.id, id);
	if (Date.parse(approval.expires_at) > clock.now()) return;
	run.expire();
	throw expired(id, approval.expires_at);
}

const notFound = (runId: string, id: string): HttpError =>
	new HttpError(404, `The run ${quote(runId)} has no open approval ${quote(id)}.`, {
		code: "approval_not_found",
		hint: "Its open approvals are in `result.approvals` of its event `run.paused`.",
	});

const alreadyDecided = (id: string, decision: ApprovalDecision["decision"]): HttpError =>
	new HttpError(
		409,
		`The approval ${quote(id)} was already ${decision === "approve" ? "approved" : "denied"}.`,
		{
			code: "approval_decided",
			hint: "The decision cannot be changed: the run has continued with it.",
			details: { decision },
		},
	);

const runEnded = (runId: string, status: string): HttpError =>
	new HttpError(409, `The run ${quote(runId)} has ended (${status}) and no longer waits for an approval.`, {
		code: "run_ended",
		hint: "Start the agent again to get a new approval request.",
	});

const expired = (id: string, at: string): HttpError =>
	new HttpError(410, `The approval ${quote(id)} expired at ${at}.`, {
		code: "approval_expired",
		hint: "It counts as denied. Start the run again to get a new approval request.",
	});
