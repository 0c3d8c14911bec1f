import { describe, expect, it } from "vitest";
import { toRefusedSignIn } from "./refused-sign-in";

describe("toRefusedSignIn", () => {
	it.each([
		["POST", "/oauth/token", 401, { method: "client", reason: "refused" }],
		["POST", "/oauth/token", 429, { method: "client", reason: "rate_limited" }],
		["POST", "/v1/session", 401, { method: "link", reason: "refused" }],
		["POST", "/v1/session/passkey", 401, { method: "passkey", reason: "refused" }],
		["GET", "/v1/sign-in/:issuer/callback", 403, { method: "issuer", reason: "refused" }],
		["GET", "/v1/agents", 401, { method: "credential", reason: "refused" }],
	])("names the method and the reason of %s %s with %i", (method, route, status, expected) => {
		expect(toRefusedSignIn({ method, route }, status)).toEqual(expected);
	});

	it.each([
		["POST", "/oauth/token", 200],
		["POST", "/oauth/token", 400],
		["GET", "/v1/agents", 403],
		["POST", "/v1/ask", 429],
		["GET", "/v1/session", 200],
	])("finds none in %s %s with %i", (method, route, status) => {
		expect(toRefusedSignIn({ method, route }, status)).toBeUndefined();
	});
});
