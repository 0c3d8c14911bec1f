import { clock } from "@stemma/core/internal";

/** Ids of tokens that are good for one use. */
export interface UsedTokens {
	/** Uses a token. @returns whether that is its first use. */
	use(id: string, expiresAt: number): boolean;
}

/** Time by which a token may be used after its end, as clocks differ. */
const USED_TOKEN_GRACE_MS = 60 * 1000;

/** Keeps ids until their tokens have expired: only issuers can make more of them. */
export function createUsedTokens(now: () => number = clock.now): UsedTokens {
	const used = new Map<string, number>();
	return {
		use(id, expiresAt) {
			for (const [known, end] of used) if (end <= now()) used.delete(known);
			if (used.has(id)) return false;
			used.set(id, expiresAt + USED_TOKEN_GRACE_MS);
			return true;
		},
	};
}
