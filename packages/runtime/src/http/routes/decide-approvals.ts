import { ApiError, ConnectionError, TimeoutError } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import type { Run } from "../../runs/run";
import type { RunRegistry } from "../../runs/run-registry";
import type { HttpError } from "../http-error";
import { forwardError, toServiceError } from "./service-error";

/**
 * Decides on approvals of a run, on all or on none. The same decision again changes nothing.
 *
 * @throws DomainError `approval_not_found`, `approval_decided`, `approval_expired`, `run_ended`; what the service answers for
 * a run there.
 */
export async function decideApprovals(
	registry: Pick<RunRegistry, "decide">,
	run: Run,
	decisions: readonly ApprovalDecision[],
): Promise<void> {
	try {
		await registry.decide(run, decisions);
	} catch (error) {
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
