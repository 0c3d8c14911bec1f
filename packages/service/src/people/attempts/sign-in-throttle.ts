import type { RateLimiter } from "../../auth/rate-limiter";
import { toRateLimitKey } from "../../outbound/ip-address";
import { MAX_SIGN_INS_PER_MINUTE, MAX_TOTAL_SIGN_INS_PER_MINUTE } from "../people-limits";

/** Rates of attempts to sign in: by links, passkeys and issuers, whether they succeed or not. */
export interface SignInThrottle {
	/**
	 * Counts an attempt, before anything of it is checked.
	 *
	 * @param address - of the connection; of IPv6 its network (/64) counts. Left out: counts in total only.
	 * @returns 0, or the seconds to wait where there were too many in the last minute.
	 */
	countAttempt(address: string | undefined): number;
}

const TOTAL = "total";

/** Attempts a minute. */
export interface ThrottleLimits {
	readonly perAddress: number;
	readonly total: number;
}

/** Limiters of attempts. */
export interface ThrottleRates {
	readonly byAddress: RateLimiter;
	readonly total: RateLimiter;
}

/** @param limits - default: those of attempts to sign in. */
export function createSignInThrottle(
	{ byAddress, total }: ThrottleRates,
	limits: ThrottleLimits = { perAddress: MAX_SIGN_INS_PER_MINUTE, total: MAX_TOTAL_SIGN_INS_PER_MINUTE },
): SignInThrottle {
	return {
		countAttempt: (address) =>
			// What an address has too many of does not count in total: it would lock all others out.
			(address === undefined ? 0 : byAddress.count(toRateLimitKey(address), limits.perAddress)) ||
			total.count(TOTAL, limits.total),
	};
}
