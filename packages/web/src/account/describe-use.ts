import type { Passkey } from "@stemma/client";
import { formatTime } from "../data/format";
import { STRINGS } from "../strings/strings";

/** Describes where a passkey is, since when, and when it was used. */
export function describeUse({ synced, created_at, last_used_at }: Passkey): string {
	const words = STRINGS.account;
	return [
		synced ? words.synced : words.singleDevice,
		words.added(formatTime(created_at)),
		last_used_at === null ? words.neverUsed : words.lastUsed(formatTime(last_used_at)),
	].join(" · ");
}
