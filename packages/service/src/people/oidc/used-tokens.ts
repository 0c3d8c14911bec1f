import { clock } from "@stemma/core/internal";

/** Ids of tokens that are good for one use. */
export interface UsedTokens {
	/** Checks whether a token was used. */
	isUsed(id: string): boolean;
	/** Uses a token. */
	use(id: string, expiresAt: number): void;
}

/** Time by which a token may be used after its end, as clocks differ. */
const USED_TOKEN_GRACE_MS = 60 * 1000;

/** Keeps ids until their tokens have expired: only issuers can make more of them. */
export function createUsedTokens(now: () => number = clock.now): UsedTokens {
	const used = new Map<string, number>();
	return {
		isUsed: (id) => used.has(id),
		use(id, expiresAt) {
			for (const [known, end] of used) if (end <= now()) used.delete(known);
			used.set(id, expiresAt + USED_TOKEN_GRACE_MS);
		},
	};
}
