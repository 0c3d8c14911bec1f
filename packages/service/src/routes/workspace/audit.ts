import * as z from "zod";
import { listAudit } from "../../audit/audit";
import { AUDIT_ACTIONS } from "../../audit/audit-actions";
import { requireCaller } from "../../http/auth/authenticate";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import type { DeploymentDatabase } from "../../store/deployment-database";
import { createDeploymentAuditRepository } from "../../store/sqlite/audit-repository";

const auditQuery = z.strictObject({ action: z.enum(AUDIT_ACTIONS).exactOptional() });

/** `GET /v1/audit`: who changed what, the newest first. */
export function addAuditRoute(app: ServiceApp, deployment: DeploymentDatabase): void {
	app.get("/v1/audit", requireCaller({ scopes: ["settings:read"] }), (context) =>
		respondWithPage(context, {
			query: auditQuery,
			list(page, { action }) {
				const { id, store } = context.get("workspace");
				const workspace = { id, audit: store.audit };
				return listAudit(createDeploymentAuditRepository(deployment), workspace, { ...page, action });
			},
			cursorOf: ({ id }) => id,
		}),
	);
}
