import { type ApprovalDecision, ConfigurationError } from "@stemma/core";
import { isJsonObject, quote } from "@stemma/core/internal";
import { findApproval } from "./approvals";
import type { RunState } from "./run-state";

/** @throws ConfigurationError as {@link assertDecision} does; none of them is applied then. */
export function assertDecisions(run: RunState, decisions: readonly ApprovalDecision[]): void {
	if (!Array.isArray(decisions)) throw invalidDecision("`decisions` must be a list.");
	const seen = new Set<string>();
	for (const decision of decisions) {
		assertDecision(run, decision);
		if (seen.has(decision.approval_id)) throw notFound(run, decision.approval_id);
		seen.add(decision.approval_id);
	}
}

/** @throws ConfigurationError `invalid_decision`, and `approval_not_found` for what is not open. */
export function assertDecision(run: RunState, decision: ApprovalDecision): void {
	// What comes from elsewhere may be anything.
	if (!isJsonObject(decision) || typeof decision.approval_id !== "string")
		throw invalidDecision("A decision needs the `approval_id` of an approval.");
	const { approval_id, decision: choice, reason, decided_at } = decision;
	if (choice !== "approve" && choice !== "deny")
		throw invalidDecision('`decision` must be "approve" or "deny".');
	if (reason !== undefined && typeof reason !== "string") throw invalidDecision("`reason` must be text.");
	if (decided_at !== undefined && !isTime(decided_at))
		throw invalidDecision("`decided_at` must be a time such as 2026-01-31T12:00:00Z.");
	const isDecided = run.decisions.some((other) => other.approval_id === approval_id);
	if (run.result !== undefined || isDecided || findApproval(run, approval_id) === undefined)
		throw notFound(run, approval_id);
}

/** Checks whether a value is a time as RFC 3339 writes it. */
const isTime = (value: unknown): boolean =>
	typeof value === "string" &&
	/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) &&
	Number.isFinite(Date.parse(value));

const invalidDecision = (message: string): ConfigurationError =>
	new ConfigurationError(message, {
		code: "invalid_decision",
		hint: 'Pass `{ approval_id, decision: "approve" | "deny", reason?, decided_at? }`.',
	});

function notFound(run: RunState, id: string): ConfigurationError {
	const open = run.approvals.map((approval) => approval.id).join(", ");
	const isPaused = run.result?.status === "paused";
	return new ConfigurationError(`The run has no open approval ${quote(id.slice(0, 64))}.`, {
		code: "approval_not_found",
		hint: isPaused
			? "The run has paused: pass the decision to `resume`."
			: open === ""
				? "The run waits for no approval, or this one was already decided."
				: `Open approvals: ${open}. Each can be decided only once.`,
	});
}
