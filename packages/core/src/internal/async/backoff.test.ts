import { expect, it } from "vitest";
import { backoffDelayMs } from "./backoff";

it("doubles with each failure, up to its limit", () => {
	const delays = [1, 2, 3, 4, 2000].map((failures) => backoffDelayMs(failures, 100, 500));
	expect(delays).toEqual([100, 200, 400, 500, 500]);
	expect(backoffDelayMs(3, 100, 5_000, 4)).toBe(1_600);
});
