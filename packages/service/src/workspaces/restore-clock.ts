import { clock, readIdTime } from "@stemma/core/internal";
import type { Logger } from "pino";
import { ACCESS_TOKEN_TTL_SECONDS } from "../auth/access-tokens";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { Stores } from "./stores";
import type { Workspace } from "./workspace";

/** A stored time that is further ahead of the machine's clock was itself a mistake of the clock, in milliseconds. */
const MAX_CLOCK_BEHIND_MS = 24 * 60 * 60 * 1000;

/**
 * Continues the clock from the last time that was stored, where the machine's clock is behind it by a day at the most: what
 * is created from now on sorts after what is there. How long the service was stopped cannot be told where the clock is
 * behind, so all access tokens end.
 *
 * @param machineTime - in milliseconds since 1970.
 */
export async function restoreClock(
	{ deployment, workspaces }: Pick<Stores, "deployment" | "workspaces">,
	logger: Logger,
	machineTime = Date.now(),
): Promise<void> {
	const stored = await Promise.all([
		findDeploymentTime(deployment),
		...workspaces.list().map((workspace) => findWorkspaceTime(workspace)),
	]);
	const last = Math.max(...stored);
	if (last <= machineTime) return;
	const isMistake = last - machineTime > MAX_CLOCK_BEHIND_MS;
	if (!isMistake) clock.advanceTo(last);
	await deployment.write.deleteFrom("access_tokens").execute();
	logger.warn(
		{
			code: "clock_behind",
			machine: new Date(machineTime).toISOString(),
			stored: new Date(last).toISOString(),
		},
		isMistake ? CLOCK_FAR_BEHIND_MESSAGE : CLOCK_BEHIND_MESSAGE,
	);
}

const CLOCK_BEHIND_MESSAGE =
	"the machine's clock is behind the last time in the data folder: the service goes on from there, and access tokens have ended; set the machine's clock";
const CLOCK_FAR_BEHIND_MESSAGE =
	"the machine's clock is more than a day behind the last time in the data folder: the service goes by the machine's clock, and access tokens have ended; if that clock is wrong, set it and start again; if it was wrong before, what was created in that time stays the newest in lists";

/** Last time in the deployment's own tables: 0 where there is none. */
async function findDeploymentTime({ read }: Pick<DeploymentDatabase, "read">): Promise<number> {
	const tables = ["workspaces", "clients", "client_keys", "audit"] as const;
	const ids = await Promise.all(
		tables.map((table) =>
			read.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst(),
		),
	);
	const token = await read
		.selectFrom("access_tokens")
		.select(({ fn }) => fn.max("expires_at").as("last"))
		.executeTakeFirst();
	return Math.max(toLastTime(ids), (token?.last ?? 0) - ACCESS_TOKEN_TTL_SECONDS * 1000);
}

async function findWorkspaceTime({ database: { read } }: Pick<Workspace, "database">): Promise<number> {
	const tables = ["knowledge_bases", "documents", "agents", "runs", "audit"] as const;
	return toLastTime(
		await Promise.all(
			tables.map((table) =>
				read.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst(),
			),
		),
	);
}

const toLastTime = (rows: readonly ({ readonly id: string } | undefined)[]): number =>
	Math.max(0, ...rows.map((row) => (row && readIdTime(row.id)) ?? 0));
