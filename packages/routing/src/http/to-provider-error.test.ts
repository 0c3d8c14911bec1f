import { describe, expect, it } from "vitest";
import type { ProviderErrorCode } from "../provider-error";
import { toProviderError, toTimeoutError } from "./to-provider-error";

const ENDPOINT = {
	vendorHost: "models.example:8443",
	model: 'big "one"',
	hasKey: true,
	api: "some API",
	baseUrlHint: "Check `baseUrl`.",
};

const CHANGES: { readonly [code in ProviderErrorCode]?: RegExp } = {
	invalid_credential: /`apiKey`/,
	permission: /"big \\"one\\"".*`model`/,
	model_not_found: /`model`/,
	rate_limited: /in 2 s/,
	quota: /`apiKey`/,
	context_length: /passages.*`maxOutputTokens`.*`model`/,
	content_filtered: /`model`/,
	overloaded: /in 2 s.*`model`/,
	timeout: /in 2 s.*`model`/,
	unreachable: /`baseUrl`/,
	bad_response: /`baseUrl`/,
	bad_request: /`model`/,
	stream_truncated: /in 2 s/,
};

describe.each(Object.entries(CHANGES))("%s", (code, change) => {
	const failure = { code: code as ProviderErrorCode };
	it("names the host, the status, and what to change", () => {
		const error = toProviderError(failure, ENDPOINT, { status: 499, retryAfterMs: 1_001 });
		expect(error.message).toMatch(/^models\.example:8443 .+ \(status 499\)\.$/);
		expect(error.hint).toMatch(change);
		expect(error).toMatchObject({ code, status: 499, retryAfterMs: 1_001, vendorHost: ENDPOINT.vendorHost });
	});
	it("is told in words that know more", () => {
		const error = toProviderError({ ...failure, what: "is on holiday", hint: "Wait." }, ENDPOINT);
		expect([error.message, error.hint]).toEqual(["models.example:8443 is on holiday.", "Wait."]);
	});
});

it("tells a missing key from a wrong one", () => {
	const describeError = (hasKey: boolean): string =>
		toProviderError({ code: "invalid_credential" }, { ...ENDPOINT, hasKey }).message;
	expect([describeError(true), describeError(false)]).toEqual([
		"models.example:8443 does not accept the API key.",
		"models.example:8443 asks for an API key.",
	]);
});

it("names the field that was refused", () => {
	const { message, field } = toProviderError({ code: "bad_request", field: "temperature" }, ENDPOINT);
	expect([message, field]).toEqual([
		"models.example:8443 refused `temperature` in the request.",
		"temperature",
	]);
});

it("names the option of a deadline", () => {
	const { code, message, hint, option } = toTimeoutError("idleTimeoutMs", {
		...ENDPOINT,
		idleTimeoutMs: 1_500,
	});
	expect({ code, message, hint, option }).toEqual({
		option: "timeouts.idleTimeoutMs",
		code: "timeout",
		message: "models.example:8443 sent nothing for 1.5 s.",
		hint: "Try again, or raise `timeouts.idleTimeoutMs`.",
	});
});
