import type { ApprovalDecision } from "@stemma/core";
import type { RunRegistry } from "../../runs/run-registry";
import { invalidField } from "../http-error";
import { type HttpRequest, type HttpResponse, jsonResponse } from "../http-exchange";
import { assertKnownFields, readJsonBody } from "../request/read-json-body";
import { decideApprovals } from "./decide-approvals";
import { getRun } from "./run-routes";

/** Answers `POST /runs/:id/approvals/:approval_id`: decides, and gives the run's record. */
export type ApprovalRoute = (
	request: HttpRequest,
	runId: string,
	approvalId: string,
) => Promise<HttpResponse>;

const MAX_REASON_CHARACTERS = 1000;

export const createApprovalRoute =
	(registry: Pick<RunRegistry, "find" | "decide">): ApprovalRoute =>
	async (request, runId, approvalId) => {
		const decision = await readDecision(request, approvalId);
		const run = getRun(registry, runId);
		await decideApprovals(registry, run, [decision]);
		return jsonResponse(run.toRecord());
	};

async function readDecision(request: HttpRequest, approval_id: string): Promise<ApprovalDecision> {
	const body = await readJsonBody(request);
	assertKnownFields(body, ["decision", "reason"]);
	const { decision, reason } = body;
	if (decision !== "approve" && decision !== "deny")
		throw invalidField("decision", 'Expected "approve" or "deny".');
	if (reason !== undefined && (typeof reason !== "string" || reason.length > MAX_REASON_CHARACTERS))
		throw invalidField("reason", `Expected text of at most ${MAX_REASON_CHARACTERS} characters.`);
	return { approval_id, decision, ...(reason === undefined ? {} : { reason }) };
}
