import { clock } from "@stemma/core/internal";
import type { DeploymentStore } from "../store/deployment-store";
import type { WorkspaceStore } from "../store/workspace-store";
import { DAY_MS } from "../usage/day";
import type { Retention } from "./storage-repository";

/**
 * Deletes what is kept no longer, in all workspaces and in the deployment's own file. A workspace whose file fails is
 * reported, and keeps nothing from the others.
 *
 * @param now - epoch milliseconds. Default: the clock's time, or the machine's where that is earlier: the clock goes on
 * from a time of day that was wrong for a moment, and what is deleted does not come back.
 */
export async function sweepStorage(
	{ deployment, workspaces }: SweptDatabases,
	retention: Retention,
	onError: (error: unknown) => void,
	now = Math.min(clock.now(), Date.now()),
): Promise<void> {
	for (const { store } of workspaces.list())
		try {
			// Each call is a transaction of its own: others write between two.
			while (await store.storage.sweep({ retention, now }));
		} catch (error) {
			onError(error);
		}
	if (retention.auditDays === undefined) return;
	await deployment.audit.deleteBefore(now - retention.auditDays * DAY_MS);
}

export interface SweptDatabases {
	readonly deployment: Pick<DeploymentStore, "audit">;
	readonly workspaces: { list(): readonly { readonly store: Pick<WorkspaceStore, "storage"> }[] };
}
