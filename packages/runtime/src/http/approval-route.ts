import { ApiError, ConnectionError, TimeoutError } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { quote } from "../agents/quote";
import type { Run } from "../runs/run";
import type { RunRegistry } from "../runs/run-registry";
import { HttpError, invalidField } from "./http-error";
import { answerJson, type HttpAnswer, type HttpRequest } from "./http-exchange";
import { demandFields, readJsonBody } from "./read-json-body";
import { demandRun } from "./run-routes";
import { passOn, toServiceError } from "./upstream-error";

/** Answers `POST /runs/:id/approvals/:approval_id`: decides, and gives the run's record. */
export type ApprovalRoute = (request: HttpRequest, runId: string, approvalId: string) => Promise<HttpAnswer>;

const MOST_REASON = 1000;

export const createApprovalRoute =
	(registry: Pick<RunRegistry, "find">): ApprovalRoute =>
	async (request, runId, approvalId) => {
		const decision = await readDecision(request, approvalId);
		const run = demandRun(registry, runId);
		if (run.decisionOn(approvalId) !== decision.decision) await decide(run, decision);
		return answerJson(run.toRecord());
	};

async function readDecision(request: HttpRequest, approval_id: string): Promise<ApprovalDecision> {
	const body = await readJsonBody(request);
	demandFields(body, ["decision", "reason"]);
	const { decision, reason } = body;
	if (decision !== "approve" && decision !== "deny")
		throw invalidField("decision", 'Expected "approve" or "deny".');
	if (reason !== undefined && (typeof reason !== "string" || reason.length > MOST_REASON))
		throw invalidField("reason", `Expected text of at most ${MOST_REASON} characters.`);
	return { approval_id, decision, ...(reason === undefined ? {} : { reason }) };
}

async function decide(run: Run, decision: ApprovalDecision): Promise<void> {
	demandOpen(run, decision.approval_id);
	try {
		await run.decide(decision);
	} catch (error) {
		if (isStemmaError(error) && error.code === "approval_not_found")
			throw notFound(run.id, decision.approval_id);
		throw toDecisionError(error, run) ?? error;
	}
}

/** What the service says of an approval of a run there is passed on; what it says of our credentials is not. */
function toDecisionError(error: unknown, { subject: { agentId } }: Run): HttpError | undefined {
	if (ApiError.is(error) && [404, 409, 410].includes(error.status)) return passOn(error);
	const isOfService = ApiError.is(error) || ConnectionError.is(error) || TimeoutError.is(error);
	return isOfService ? toServiceError(error, quote(agentId), "runs:approve") : undefined;
}

function demandOpen(run: Run, id: string): void {
	const decided = run.decisionOn(id);
	if (decided !== undefined) throw alreadyDecided(id, decided);
	const { result, paused } = run;
	if (result?.status !== undefined) throw runEnded(run.id, result.status);
	if (paused === undefined) return;
	const approval = paused.approvals?.find((open) => open.id === id);
	if (approval === undefined) throw notFound(run.id, id);
	if (Date.parse(approval.expires_at) > Date.now()) return;
	run.expire();
	throw expired(id, approval.expires_at);
}

const notFound = (runId: string, id: string): HttpError =>
	new HttpError(404, `The run ${quote(runId)} has no open approval ${quote(id)}.`, {
		code: "approval_not_found",
		hint: "Those that it waits for are in `result.approvals` of its event `run.paused`.",
	});

const alreadyDecided = (id: string, decision: ApprovalDecision["decision"]): HttpError =>
	new HttpError(
		409,
		`The approval ${quote(id)} was ${decision === "approve" ? "approved" : "denied"} before.`,
		{
			code: "approval_decided",
			hint: "Nothing can be changed about it: the run has gone on with that.",
			details: { decision },
		},
	);

const runEnded = (runId: string, status: string): HttpError =>
	new HttpError(409, `The run ${quote(runId)} has ended (${status}), and waits for nothing.`, {
		code: "run_ended",
		hint: "Start it again to be asked anew.",
	});

const expired = (id: string, at: string): HttpError =>
	new HttpError(410, `The approval ${quote(id)} has expired at ${at}.`, {
		code: "approval_expired",
		hint: "It counts as denied. Start the run again to be asked anew.",
	});
