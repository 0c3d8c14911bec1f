import type { Approval, ApprovalDecision, Json, RunError } from "@stemma/core";
import { toAgentRequest } from "../io/port-requests";
import { shortenError } from "../io/shorten-error";
import { fail } from "../nodes/create-invocation";
import type { Invocation } from "../nodes/invocation";
import { enqueueCall } from "./call-queue";
import type { RemoteCommand, ToolCommand } from "./command";
import type { OpenApproval, RunState } from "./run-state";

const APPROVAL_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** Makes the call of a node, or asks for its approval first. */
export function requestCall(run: RunState, command: ToolCommand | RemoteCommand): void {
	const { id, node } = command.invocation;
	const { definition } = node;
	const needsApproval = (definition.kind === "tool" || definition.kind === "remote") && definition.approval;
	if (needsApproval !== true) return enqueueCall(run, command);
	run.approvals.push({ id: `apr_${id}`, command, expiresAt: run.now + APPROVAL_TTL_MS });
}

/** Takes note of what was decided since the last time. */
export function applyDecisions(run: RunState): void {
	for (const decision of run.decisions.splice(0)) {
		const approval = findApproval(run, decision.approval_id);
		if (approval !== undefined) applyDecision(run, approval, decision);
	}
}

export function findApproval({ approvals }: RunState, id: string): OpenApproval | undefined {
	return approvals.find((approval) => approval.id === id);
}

/** Removes the open approval of an invocation: it no longer needs a decision. */
export function closeApproval({ approvals }: RunState, invocation: Invocation): void {
	const index = approvals.findIndex(({ command }) => command.invocation === invocation);
	if (index !== -1) approvals.splice(index, 1);
}

/** Applies a decision. It counts if it was made in time, even if the run receives it late. */
function applyDecision(
	run: RunState,
	approval: OpenApproval,
	{ decision, reason, decided_at }: ApprovalDecision,
): void {
	const decidedAt = decided_at === undefined ? run.now : Date.parse(decided_at);
	if (isExpired(approval, decidedAt)) return deny(run, approval, EXPIRED);
	if (decision === "deny") return deny(run, approval, describeDenial(reason));
	closeApproval(run, approval.command.invocation);
	enqueueCall(run, approval.command);
}

/** @returns whether there were any. */
export function denyExpired(run: RunState): boolean {
	const expired = run.approvals.filter((approval) => isExpired(approval, run.now));
	for (const approval of expired) deny(run, approval, EXPIRED);
	return expired.length > 0;
}

const isExpired = ({ expiresAt }: OpenApproval, at: number): boolean => at >= expiresAt;

const EXPIRED = "the approval that it needs has expired: nobody decided within 7 days.";

const describeDenial = (reason = ""): string =>
	reason.trim() === "" ? "a person denied it, without a reason." : `a person denied it. Reason: ${reason}`;

function deny(run: RunState, { command: { invocation } }: OpenApproval, reason: string): void {
	closeApproval(run, invocation);
	const error: RunError = {
		code: "approval_denied",
		message: `"${invocation.node.id}" was not called: ${reason}`,
	};
	fail(run, invocation, shortenError(error));
}

/** All open approvals, as results show them. */
export const listApprovals = (run: RunState): Approval[] =>
	run.approvals.map(({ id, command, expiresAt }) => ({
		id,
		node: command.invocation.node.id,
		...describeCall(run, command),
		expires_at: new Date(expiresAt).toISOString(),
	}));

function describeCall(
	run: RunState,
	command: ToolCommand | RemoteCommand,
): Pick<Approval, "tool" | "arguments"> {
	const { definition } = command.invocation.node;
	if (command.type === "tool")
		return { tool: definition.kind === "tool" ? definition.tool : "", arguments: command.arguments };
	const { agent, input, context = {}, untrustedContext = false } = toAgentRequest(run, command);
	const sent: Record<string, Json> = { input };
	if (Object.keys(context).length > 0) sent.context = context;
	if (sent.context !== undefined && untrustedContext) sent.untrusted_context = true;
	return { tool: "url" in agent ? agent.url : agent.agentId, arguments: sent };
}
