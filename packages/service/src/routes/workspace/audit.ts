import * as z from "zod";
import { listAudit } from "../../audit/audit";
import { AUDIT_ACTIONS } from "../../audit/audit-actions";
import type { DeploymentAuditRepository } from "../../audit/audit-repository";
import { requireCaller } from "../../http/auth/authenticate";
import { describeRoute } from "../../http/describe-route";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";

const auditQuery = z.strictObject({ action: z.enum(AUDIT_ACTIONS).exactOptional() });

const description = describeRoute({
	summary: "List who changed what",
	query: auditQuery,
	isList: true,
	responses: { 200: "AuditPage" },
});

/** `GET /v1/audit`: who changed what, the newest first. */
export function addAuditRoute(app: ServiceApp, deployment: DeploymentAuditRepository): void {
	app.get("/v1/audit", description, requireCaller({ scopes: ["settings:read"] }), (context) =>
		respondWithPage(context, {
			query: auditQuery,
			list(page, { action }) {
				const { id, store } = context.get("workspace");
				const workspace = { id, audit: store.audit };
				return listAudit(deployment, workspace, { ...page, action });
			},
			cursorOf: ({ id }) => id,
		}),
	);
}
