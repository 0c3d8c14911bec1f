import { StemmaError } from "@stemma/core/errors";
import { expect, it } from "vitest";
import { ProviderError } from "./provider-error";

const options = { code: "rate_limited", vendorHost: "models.example", hint: "Wait." } as const;

it("is known by brand, and other errors are not", () => {
	const error = new ProviderError("Too often.", options);
	expect([ProviderError.is(error), StemmaError.is(error), error.name]).toEqual([true, true, "ProviderError"]);
	expect(ProviderError.is(new StemmaError("Too often.", options))).toBe(false);
	expect(ProviderError.is(Object.assign(new Error(), { name: "ProviderError" }))).toBe(false);
});

it("shows what it knows, but not its cause", () => {
	const error = new ProviderError("Too often.", {
		...options,
		status: 429,
		retryAfterMs: 500,
		cause: "sk-1",
	});
	expect(JSON.parse(JSON.stringify(error))).toEqual({
		name: "ProviderError",
		message: "Too often.",
		code: "rate_limited",
		hint: "Wait.",
		vendorHost: "models.example",
		status: 429,
		retryAfterMs: 500,
	});
});
