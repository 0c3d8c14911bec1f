import { expect, it } from "vitest";
import { readBearerChallenge } from "./challenge";

it.each([
	["", {}],
	["Bearer", {}],
	['Bearer realm="a", scope="b c"', { realm: "a", scope: "b c" }],
	['bearer Scope = "b"', { scope: "b" }],
	['Bearer scope="a", scope="b"', { scope: "a" }],
	["Bearer error=insufficient_scope, scope=a", { error: "insufficient_scope", scope: "a" }],
	['Basic realm="a", Bearer scope="b"', { scope: "b" }],
	['Bearer scope="b", Basic realm="a", charset="UTF-8"', { scope: "b" }],
	['DPoP algs="ES256", Bearer scope="b"', { scope: "b" }],
	["Negotiate YII=, Bearer scope=b", { scope: "b" }],
	['Bearer realm="a \\"Bearer scope=\\\\x", scope="b"', { realm: 'a "Bearer scope=\\x', scope: "b" }],
	['Bearer realm="scope=evil", scope="b"', { realm: "scope=evil", scope: "b" }],
	['Bearer scope="not closed', {}],
	['Bearer scope=""', {}],
	[`Bearer scope="${"x".repeat(1001)}", realm="a"`, { realm: "a" }],
	['Bearer scope="a\tb"', {}],
	['Bearer constructor="b"', { constructor: "b" }],
] as const)("reads %j", (header, expected) => {
	expect([...readBearerChallenge(header)]).toEqual(Object.entries(expected));
});

it("is quick, whatever comes", () => {
	const header = `Bearer ${'a="\\'.repeat(100_000)}`;
	const before = process.threadCpuUsage();
	readBearerChallenge(header);
	expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
});
