import type { ServiceWarning } from "@stemma/client";
import type { ServiceApp } from "../http/service-app";
import { STEMMA_VERSION } from "../http/stemma-version";

/** What the health routes ask of the service. */
export interface HealthProbes {
	isStopping(): boolean;
	/** @throws StorageError when the store cannot be reached. */
	checkStore(): Promise<void>;
	/** False where all workspaces of the deployment are unavailable. */
	isUseful(): boolean;
	/** What does not keep the service from working, and an operator should mend. */
	listWarnings(): readonly ServiceWarning[];
}

/** `GET /healthz`: the process is alive. `GET /readyz`: it can do its work. Both are open. */
export function addHealthRoutes(
	app: ServiceApp,
	{ isStopping, checkStore, isUseful, listWarnings }: HealthProbes,
): void {
	app.get("/healthz", (context) => context.json({ status: "ok", version: STEMMA_VERSION }));
	app.get("/readyz", async (context) => {
		if (isStopping()) return context.json({ status: "stopping" }, 503);
		await checkStore();
		const warnings = listWarnings();
		const answer = { version: STEMMA_VERSION, ...(warnings.length > 0 && { warnings }) };
		return isUseful()
			? context.json({ status: "ready", ...answer })
			: context.json({ status: "unavailable", ...answer }, 503);
	});
}
