import type { Approval } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { describeCall } from "./describe-call";

/**
 * The approval that is meant: the only one that is open, where none was named.
 *
 * @throws ConfigurationError that lists them where there is a choice, or says that there is none.
 */
export function demandOnlyApproval(runId: string, open: readonly Approval[]): string {
	const [only, ...others] = open;
	if (only === undefined)
		throw new ConfigurationError(`The run ${runId} waits for no approval.`, {
			code: "approval_not_found",
			hint: `"stemma runs show ${runId}" tells how it stands.`,
		});
	if (others.length === 0) return only.id;
	throw new ConfigurationError(`The run ${runId} waits for ${open.length} approvals: name one.`, {
		hint: open.map((approval) => `${approval.id}: ${describeCall(approval)}`).join("; "),
	});
}
