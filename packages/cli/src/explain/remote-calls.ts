import { list } from "./describe-node";

/** The model calls that the agents of remote nodes make for themselves, in words. */
export const describeRemoteCalls = (ids: readonly string[]): string =>
	`those of ${list(ids)}, which are bounded where ${ids.length === 1 ? "it runs" : "they run"}`;
