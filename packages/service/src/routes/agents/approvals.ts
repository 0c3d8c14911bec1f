import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { decideApprovals } from "../../runs/approvals/decide-approvals";
import { describeRun, getRun } from "./runs";

const MAX_REASON_CHARACTERS = 1000;

const decisionBody = z.strictObject({
	decision: z.enum(["approve", "deny"]),
	reason: z.string().max(MAX_REASON_CHARACTERS).optional(),
});

const description = describeRoute({
	summary: "Decide on a call that waits for approval",
	body: decisionBody,
	isIdempotent: true,
	responses: { 200: "RunRecord" },
	errors: [
		"run_not_found",
		"approval_not_found",
		"approval_decided",
		"approval_expired",
		"run_ended",
		"too_many_runs",
		"agent_not_found",
	],
	example: { decision: "deny", reason: "Over the limit of 100." },
});

/** `POST /v1/runs/:id/approvals/:approval_id`. */
export function addApprovalRoute(app: ServiceApp): void {
	const requireApprove = requireCaller({ scopes: ["runs:approve"] });

	app.post("/v1/runs/:id/approvals/:approval_id", description, requireApprove, async (context) => {
		const body = await readJson(context, decisionBody);
		return withIdempotency(context, body, async () => {
			const { id: runId } = await getRun(context);
			const approval_id = context.req.param("approval_id");
			await decideApprovals(toScope(context), runId, [{ ...body, approval_id }]);
			return { status: 200, body: await describeRun(context, await getRun(context)) };
		});
	});
}
