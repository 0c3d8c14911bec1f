/** More than any call takes, and few enough for a sum to stay a whole number. */
const MAX_TOKENS_PER_CALL = 1_000_000_000;

/**
 * Converts the number that a vendor reports to a valid number of tokens. Vendors may report anything: a fraction, for
 * example, would be refused by the tables of usage again and again.
 */
export const toTokenCount = (reported: number | null | undefined): number =>
	Math.min(MAX_TOKENS_PER_CALL, Math.max(0, Math.round(reported ?? 0) || 0));
