import type { RunInput } from "@stemma/client";
import type { RequestIssue } from "@stemma/client/ai-sdk";
import type { ApprovalDecision } from "@stemma/core";
import { DomainError } from "../../errors/domain-error";
import { assertScope } from "../../http/auth/authenticate";
import { insertRunOnce } from "../../http/idempotency/idempotency";
import type { ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { decideApprovals } from "../../runs/approvals/decide-approvals";
import { startAgentRun } from "../../runs/start-agent-run";
import type { StoredRun } from "../../runs/stored-run";
import { getRunById } from "./runs";

/** Starts the run of the agent in the path, as a front end asks for it. */
export const startForFrontEnd = (
	context: ServiceContext,
	{ input, context: runContext }: RunInput,
	body: unknown,
): Promise<StoredRun> =>
	startAgentRun(
		toScope(context),
		{ agentIdOrSlug: context.req.param("id") ?? "", input, context: runContext, background: false },
		insertRunOnce(context, body),
	);

/** Decides on approvals of a run, which then goes on. @throws DomainError `missing_scope` without `runs:approve`. */
export async function decideForFrontEnd(
	context: ServiceContext,
	{ run_id, decisions }: { readonly run_id: string; readonly decisions: readonly ApprovalDecision[] },
): Promise<StoredRun> {
	assertScope(context.get("caller"), "runs:approve");
	const run = await getRunById(context, run_id);
	await decideApprovals(toScope(context), run.id, decisions);
	return run;
}

export const invalidRequest = ({ param, message }: RequestIssue): DomainError =>
	new DomainError("invalid_request", param === "" ? message : `"${param}": ${message}`, { param });
