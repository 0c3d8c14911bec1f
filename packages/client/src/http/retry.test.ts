import { describe, expect, it } from "vitest";
import { createApiError } from "../errors/api-errors";
import { ConnectionError, TimeoutError } from "../errors/errors";
import { parseJson, readRetryAfter } from "../errors/read-api-error";
import { isRetryable, retryDelay } from "./retry";

const errorOf = (status: number, retryAfterMs?: number) =>
	createApiError({ status, code: "x", message: "X.", retryAfterMs });

describe("isRetryable", () => {
	it.each([
		[errorOf(503), "failed", true],
		[errorOf(502), "failed", true],
		[errorOf(500), "failed", false],
		[errorOf(429, 60_000), "failed", false],
		[new ConnectionError("X."), "failed", true],
		[new TimeoutError("headersTimeoutMs", 1), "failed", false],
		[new Error("X."), "failed", false],
		[errorOf(503), "if-not-started", true],
		[errorOf(504), "if-not-started", false],
		[new ConnectionError("X."), "if-not-started", false],
		[errorOf(503), "never", false],
	] as const)("%s, %s: %s", (error, retry, expected) => expect(isRetryable(error, retry)).toBe(expected));
});

describe("retryDelay", () => {
	const delays = (retry: number, error?: unknown) =>
		Array.from({ length: 200 }, () => retryDelay(retry, 500, error));
	it("is anything up to a limit that doubles, to an end", () => {
		for (const [retry, maxDelay] of [
			[1, 500],
			[2, 1000],
			[3, 2000],
			[20, 8000],
		] as const) {
			expect(Math.max(...delays(retry))).toBeLessThanOrEqual(maxDelay);
			expect(Math.max(...delays(retry))).toBeGreaterThan(maxDelay / 2);
			expect(Math.min(...delays(retry))).toBeLessThan(maxDelay / 2);
		}
	});
	it("is no less than was asked for", () => {
		expect(Math.min(...delays(1, errorOf(429, 3000)))).toBeGreaterThanOrEqual(3000);
	});
});

describe("readRetryAfter", () => {
	it.each([
		["7", 7000],
		["0.5", 500],
		["-1", 0],
		["", undefined],
		["soon", undefined],
		[null, undefined],
	])("%j", (header, expected) => expect(readRetryAfter(header)).toBe(expected));
	it("reads dates", () => {
		const hourMs = readRetryAfter(new Date(Date.now() + 3_600_000).toUTCString()) ?? 0;
		expect(Math.abs(hourMs - 3_600_000)).toBeLessThan(2000);
		expect(readRetryAfter("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(0);
	});
});

it("parseJson gives nothing for what is no JSON", () => expect(parseJson("{")).toBeUndefined());
