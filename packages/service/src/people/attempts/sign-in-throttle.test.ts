import { expect, test } from "vitest";
import { createRateLimiter } from "../../auth/rate-limiter";
import { MAX_SIGN_INS_PER_MINUTE, MAX_TOTAL_SIGN_INS_PER_MINUTE } from "../people-limits";
import { createSignInThrottle } from "./sign-in-throttle";

const openRate = () => createRateLimiter(() => 60_000);
const createThrottle = () => createSignInThrottle({ byAddress: openRate(), total: openRate() });

const countPassed = (attempts: number, attempt: (index: number) => number): number =>
	Array.from({ length: attempts }, (_, index) => attempt(index)).filter((seconds) => seconds === 0).length;

test("lets so many attempts of an address through, and others go on", () => {
	const { countAttempt } = createThrottle();
	const passed = countPassed(MAX_SIGN_INS_PER_MINUTE * 3, () => countAttempt("203.0.113.9"));
	expect(passed).toBe(MAX_SIGN_INS_PER_MINUTE);
	expect(countAttempt("203.0.113.9")).toBeGreaterThan(0);
	expect(countAttempt("203.0.113.8")).toBe(0);
});

test("lets so many attempts of all addresses through", () => {
	const { countAttempt } = createThrottle();
	const passed = countPassed(MAX_TOTAL_SIGN_INS_PER_MINUTE * 2, (index) =>
		countAttempt(`10.0.${index >> 8}.${index & 255}`),
	);
	expect(passed).toBe(MAX_TOTAL_SIGN_INS_PER_MINUTE);
});

test("does not count in total what one address had too many of", () => {
	const { countAttempt } = createThrottle();
	countPassed(MAX_TOTAL_SIGN_INS_PER_MINUTE * 3, () => countAttempt("203.0.113.9"));
	expect(countAttempt("203.0.113.8")).toBe(0);
});
