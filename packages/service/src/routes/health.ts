import type { ServiceWarning } from "@stemma/client";
import { describeRoute } from "../http/describe-route";
import type { ServiceApp } from "../http/service-context";
import { STEMMA_VERSION } from "../stemma-version";

/** Probes of the service for the health routes. */
export interface HealthProbes {
	isShuttingDown(): boolean;
	/** @throws StorageError when the store cannot be reached. */
	checkStore(): Promise<void>;
	/** False where all workspaces of the deployment are unavailable. */
	hasAvailableWorkspace(): boolean;
	/** Lists the problems that do not stop the service from working, and that an operator should fix. */
	listWarnings(): readonly ServiceWarning[];
}

const described = {
	check: describeRoute({
		summary: "Check that the process is alive",
		responses: { 200: "ServiceHealth" },
	}),
	checkService: describeRoute({
		summary: "Check that the service can do its work",
		responses: { 200: "ServiceReadiness", 503: "ServiceUnavailable" },
	}),
};

/** `GET /healthz`: the process is alive. `GET /readyz`: it can do its work. Both are open. */
export function addHealthRoutes(
	app: ServiceApp,
	{ isShuttingDown, checkStore, hasAvailableWorkspace, listWarnings }: HealthProbes,
): void {
	app.get("/healthz", described.check, (context) => context.json({ status: "ok", version: STEMMA_VERSION }));
	app.get("/readyz", described.checkService, async (context) => {
		if (isShuttingDown()) return context.json({ status: "stopping" }, 503);
		await checkStore();
		const warnings = listWarnings();
		const fields = { version: STEMMA_VERSION, ...(warnings.length > 0 && { warnings }) };
		return hasAvailableWorkspace()
			? context.json({ status: "ready", ...fields })
			: context.json({ status: "unavailable", ...fields }, 503);
	});
}
