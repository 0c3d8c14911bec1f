import type { Caller } from "../auth/caller";
import { tooManyThreads, tooManyThreadsOfKey } from "./thread-errors";
import { CLIENT_KEY_THREAD_SHARE } from "./thread-limits";
import type { ThreadCounts } from "./thread-repository";

/** Asserts that a caller may create one more thread. @throws DomainError `too_many_threads`. */
export function assertThreadQuota(
	{ workspace, owner }: ThreadCounts,
	callerKind: Caller["kind"],
	maximum: number,
): void {
	if (workspace >= maximum) throw tooManyThreads(maximum);
	const share = Math.ceil(maximum * CLIENT_KEY_THREAD_SHARE);
	if (callerKind === "client_key" && owner >= share) throw tooManyThreadsOfKey(share);
}
