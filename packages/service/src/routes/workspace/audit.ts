import * as z from "zod";
import { listAudit } from "../../audit/audit";
import { AUDIT_ACTIONS } from "../../audit/audit-actions";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { readPageRequest } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { paginate } from "../../pagination";
import type { DeploymentDatabase } from "../../store/deployment-database";
import { createDeploymentAuditRepository } from "../../store/sqlite/audit-repository";

const auditQuery = z.strictObject({ action: z.enum(AUDIT_ACTIONS).exactOptional() });

/** `GET /v1/audit`: who changed what, the newest first. */
export function addAuditRoute(app: ServiceApp, deployment: DeploymentDatabase): void {
	app.get("/v1/audit", requireCaller({ scopes: ["settings:read"] }), async (context) => {
		const { id, store } = context.get("workspace");
		const { action } = readQuery(context, auditQuery);
		const page = readPageRequest(context);
		const records = await listAudit(
			createDeploymentAuditRepository(deployment),
			{ id, audit: store.audit },
			{ ...page, action },
		);
		return context.json(paginate(records, page.limit, ({ id }) => id));
	});
}
