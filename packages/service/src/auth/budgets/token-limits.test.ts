import { expect, test } from "vitest";
import { createRateLimiter } from "../rate-limiter";
import { createTokenLimits, MAX_APP_TOKENS_PER_MINUTE, MAX_FAILED_TOKENS_PER_MINUTE } from "./token-limits";

const clientOf = (id: string, workspaceId = "ws_1") => ({ id, workspaceId });
const limitsOf = (perMinute: number) => createTokenLimits(perMinute, () => createRateLimiter(() => 0));

test("a client gets so many tokens a minute, then is told when to come again", () => {
	const limits = limitsOf(2);
	expect([1, 2].map(() => limits.countToken(clientOf("cl_1")))).toEqual([0, 0]);
	expect(limits.countToken(clientOf("cl_1"))).toBeGreaterThan(0);
	expect(limits.countToken(clientOf("cl_2"))).toBe(0);
});

test("a workspace with many clients gets no more than four of them", () => {
	const limits = limitsOf(1);
	const waits = ["a", "b", "c", "d", "e"].map((id) => limits.countToken(clientOf(id)));
	expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0]);
	expect(waits[4]).toBeGreaterThan(0);
	expect(limits.countToken(clientOf("f", "ws_2"))).toBe(0);
});

test("apps of a person have tokens of their own, and take none of the clients'", () => {
	const limits = limitsOf(1);
	const appOf = (id: string) => ({ id, userId: "usr_1" });
	const fill = (id: string) =>
		Array.from({ length: MAX_APP_TOKENS_PER_MINUTE }, () => limits.countAppToken(appOf(id)));
	for (const id of ["a", "b", "c", "d", "e", "f"]) expect(Math.max(...fill(id))).toBe(0);
	expect(limits.countAppToken(appOf("a"))).toBeGreaterThan(0);
	expect(limits.countAppToken(appOf("g"))).toBeGreaterThan(0);
	expect(limits.countAppToken({ id: "h", userId: "usr_2" })).toBe(0);
	expect(limits.countToken(clientOf("cl_1"))).toBe(0);
});

test("failures count by address", () => {
	const limits = limitsOf(1);
	for (let failure = 0; failure < MAX_FAILED_TOKENS_PER_MINUTE; failure++)
		expect(limits.countFailure("192.0.2.1")).toBe(0);
	expect(limits.countFailure("192.0.2.1")).toBeGreaterThan(0);
	expect(limits.countFailure("192.0.2.2")).toBe(0);
	expect(limits.countFailure(undefined)).toBe(0);
});

test.each([
	["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"],
	["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"],
	["fe80::1%eth0", "fe80::2", "fe81::1"],
])("failures from %s count for %s, and not for %s", (address, same, other) => {
	const limits = limitsOf(1);
	for (let failure = 0; failure < MAX_FAILED_TOKENS_PER_MINUTE; failure++) limits.countFailure(address);
	expect(limits.countFailure(same)).toBeGreaterThan(0);
	expect(limits.countFailure(other)).toBe(0);
});
