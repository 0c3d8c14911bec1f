import type { Approval } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { truncateLine } from "../terminal/text/wrap-columns";
import { describeCall } from "./describe-call";

/** Decision that a command was given, and the approval it is meant for. */
export interface DecisionRequest {
	readonly decision: "approve" | "deny";
	readonly runId: string;
	/** Left out: the only one that is open, which may be denied unseen. */
	readonly approvalId: string | undefined;
}

/** Maximum number of approvals that an error lists. */
const MAX_LISTED = 5;

/**
 * The id of the approval that is meant. Calls that were not seen are not approved: an id must be given for that.
 *
 * @throws ConfigurationError that lists the open ones with their commands, or says that there is none.
 */
export function selectApproval(
	{ decision, runId, approvalId }: DecisionRequest,
	open: readonly Approval[],
	columns: number,
): string {
	if (approvalId !== undefined) return approvalId;
	const [only] = open;
	if (only === undefined)
		throw new ConfigurationError(`The run ${runId} waits for no approval.`, {
			code: "approval_not_found",
			hint: `"stemma runs show ${runId}" shows its status.`,
		});
	if (decision === "deny" && open.length === 1) return only.id;
	const waiting = open.length === 1 ? "an approval" : `${open.length} approvals`;
	const listed = open
		.slice(0, MAX_LISTED)
		.map((approval) => formatOpenApproval(approval, { decision, runId, columns }));
	const others = open.length - listed.length;
	throw new ConfigurationError(`The run ${runId} waits for ${waiting}: name the one that you have read.`, {
		hint: [
			"Read the call, then:\n",
			...listed,
			others > 0 ? `  … and ${others} more: stemma runs show ${runId}\n` : "",
		]
			.join("")
			.trimEnd(),
	});
}

export interface OpenApprovalShape {
	readonly decision: "approve" | "deny";
	readonly runId: string;
	readonly columns: number;
	readonly isFull?: boolean;
}

/** A call that waits, with the command line that decides on it below. */
export function formatOpenApproval(
	approval: Approval,
	{ decision, runId, columns, isFull = false }: OpenApprovalShape,
): string {
	const { title, rows, size, isCut } = describeCall(approval, { columns, isFull, indent: "    " });
	const more = isCut ? ` ("stemma runs show ${toId(runId)} --full" shows all)` : "";
	return [
		`  ${title}\n`,
		rows,
		`    ${size}${more}\n`,
		`    until ${toId(approval.expires_at)}: stemma runs ${decision} ${toId(runId)} ${toId(approval.id)}\n`,
	].join("");
}

/** Short, and with nothing in it that a shell would take for more. */
const toId = (id: string): string => truncateLine(id.replace(/[^\w.:-]/gu, "?"), 60);
