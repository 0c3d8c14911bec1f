import { clock } from "@stemma/core/internal";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { Workspace } from "../workspaces/workspace";
import { DAY_MS, type Retention, type SweepRetentionInput } from "./retention-job";

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
	for (const workspace of workspaces.list())
		await sweepWorkspace(workspace, { retention, now }).catch(onError);
	if (retention.auditDays === undefined) return;
	const before = now - retention.auditDays * DAY_MS;
	await deployment.write.deleteFrom("audit").where("created_at", "<", before).execute();
}

export interface SweptDatabases {
	readonly deployment: Pick<DeploymentDatabase, "write">;
	readonly workspaces: { list(): readonly Pick<Workspace, "database">[] };
}

async function sweepWorkspace(
	{ database }: Pick<Workspace, "database">,
	input: SweepRetentionInput,
): Promise<void> {
	// Each call is a transaction of its own: others write between two.
	while (await database.writeJob("sweepRetention", input));
}
