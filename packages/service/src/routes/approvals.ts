import { z } from "zod";
import { readAuthor } from "../audit/audit-author";
import { requireCaller } from "../http/authenticate";
import { withIdempotency } from "../http/idempotency";
import { readJson } from "../http/read-json";
import type { ServiceApp } from "../http/service-app";
import { decideApproval } from "../runs/decide-approval";
import { goOn } from "../runs/go-on";
import { toScene } from "../runs/run-scene";
import { demandRun, describeRun } from "./runs";

const MOST_REASON = 1000;

const decisionBody = z.strictObject({
	decision: z.enum(["approve", "deny"]),
	reason: z.string().max(MOST_REASON).optional(),
});

/** `POST /v1/runs/:id/approvals/:approval_id`. */
export function addApprovalRoute(app: ServiceApp): void {
	const toApprove = requireCaller({ scopes: ["runs:approve"] });

	app.post("/v1/runs/:id/approvals/:approval_id", toApprove, async (context) => {
		const body = await readJson(context, decisionBody);
		return withIdempotency(context, body, async () => {
			const { id: runId } = await demandRun(context);
			const approval_id = context.req.param("approval_id");
			const answer = { ...body, runId, approval_id, author: readAuthor(context) };
			await goOn(toScene(context), runId, (transaction) => decideApproval(transaction, answer));
			return { status: 200, body: await describeRun(context, await demandRun(context)) };
		});
	});
}
