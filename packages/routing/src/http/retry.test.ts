import { describe, expect, it } from "vitest";
import { readRetryAfter, toRetryDelay } from "./retry";

describe("the wait before a retry", () => {
	it("doubles its bound up to 8 s, and is anything below", () => {
		expect([1, 2, 3, 4, 5, 6, 60].map((failures) => toRetryDelay(failures, undefined, 1))).toEqual([
			500, 1000, 2000, 4000, 8000, 8000, 8000,
		]);
		expect(toRetryDelay(3, undefined, 0)).toBe(0);
		expect(toRetryDelay(3, undefined, 0.5)).toBe(1000);
	});

	it("is what the vendor asks for, unless that is too long", () => {
		expect(toRetryDelay(1, 7000, 0.5)).toBe(7000);
		expect(toRetryDelay(1, 30_001, 0.5)).toBeUndefined();
	});
});

it.each([
	[{}, undefined],
	[{ "retry-after": "2" }, 2000],
	[{ "retry-after": "0.5" }, 500],
	[{ "retry-after": "2", "retry-after-ms": "1500" }, 1500],
	[{ "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, 20_000],
	[{ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, 0],
	[{ "retry-after": "soon" }, undefined],
	[{ "retry-after": "" }, undefined],
	[{ "retry-after": "-3" }, undefined],
])("reads %j", (headers, milliseconds) => {
	expect(readRetryAfter(new Headers(headers as Record<string, string>), 10_000)).toEqual(milliseconds);
});
