import type { ApprovalDecision } from "@stemma/core";
import type { RunRegistry } from "../runs/run-registry";
import { decideApprovals } from "./decide-approvals";
import { invalidField } from "./http-error";
import { answerJson, type HttpAnswer, type HttpRequest } from "./http-exchange";
import { demandFields, readJsonBody } from "./read-json-body";
import { demandRun } from "./run-routes";

/** Answers `POST /runs/:id/approvals/:approval_id`: decides, and gives the run's record. */
export type ApprovalRoute = (request: HttpRequest, runId: string, approvalId: string) => Promise<HttpAnswer>;

const MOST_REASON = 1000;

export const createApprovalRoute =
	(registry: Pick<RunRegistry, "find">): ApprovalRoute =>
	async (request, runId, approvalId) => {
		const decision = await readDecision(request, approvalId);
		const run = demandRun(registry, runId);
		await decideApprovals(run, [decision]);
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
