import { clock, readIdTime } from "@stemma/core/internal";
import type { Logger } from "pino";
import { ACCESS_TOKEN_TTL_SECONDS } from "../auth/tokens/access-tokens";
import type { DeploymentStore } from "../store/deployment-store";
import type { Stores } from "./stores";

/** A stored time that is further ahead of the machine's clock was itself a mistake of the clock, in milliseconds. */
const MAX_CLOCK_BEHIND_MS = 24 * 60 * 60 * 1000;

/** Difference between the clocks of two machines that is none to speak of, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Continues the clock from the last time that was stored, where the machine's clock is behind it by a day at the most: what
 * is created from now on sorts after what is there. How long the service was stopped cannot be told where the clock is
 * behind, so all access tokens end.
 *
 * Other instances that share the store have clocks of their own, which may be a little ahead: that ends no token.
 *
 * @param machineTime - in milliseconds since 1970. Default: the time once all is read, as others may be writing.
 */
export async function restoreClock(
	{ deployment, workspaces }: Pick<Stores, "deployment" | "workspaces">,
	logger: Logger,
	machineTime?: number,
): Promise<void> {
	const stored = await Promise.all([
		findDeploymentTime(deployment),
		...workspaces.list().map(async ({ store }) => toLastTime(await store.listNewestIds())),
	]);
	const last = Math.max(...stored);
	const machine = machineTime ?? Date.now();
	if (last <= machine) return;
	const isMistake = last - machine > MAX_CLOCK_BEHIND_MS;
	if (!isMistake) clock.advanceTo(last);
	const isShared = workspaces.list().some(({ store }) => store.claims.isShared);
	if (isShared && last - machine <= MAX_CLOCK_SKEW_MS) return;
	await deployment.accessTokens.deleteAll();
	logger.warn(
		{
			code: "clock_behind",
			machine: new Date(machine).toISOString(),
			stored: new Date(last).toISOString(),
		},
		isMistake ? CLOCK_FAR_BEHIND_MESSAGE : CLOCK_BEHIND_MESSAGE,
	);
}

const CLOCK_BEHIND_MESSAGE =
	"the machine's clock is behind the last time in the data folder: the service goes on from there, and access tokens have ended; set the machine's clock";
const CLOCK_FAR_BEHIND_MESSAGE =
	"the machine's clock is more than a day behind the last time in the data folder: the service goes by the machine's clock, and access tokens have ended; if that clock is wrong, set it and start again; if it was wrong before, what was created in that time stays the newest in lists";

/** Last time in the deployment's own store: 0 where there is none. */
async function findDeploymentTime(deployment: DeploymentStore): Promise<number> {
	const lastExpiry = (await deployment.accessTokens.findLastExpiry()) ?? 0;
	return Math.max(toLastTime(await deployment.listNewestIds()), lastExpiry - ACCESS_TOKEN_TTL_SECONDS * 1000);
}

const toLastTime = (ids: readonly string[]): number => Math.max(0, ...ids.map((id) => readIdTime(id) ?? 0));
