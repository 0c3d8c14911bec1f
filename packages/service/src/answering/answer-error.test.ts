import type { ReceiptRow } from "@stemma/core";
import { ProviderError } from "@stemma/routing";
import { describe, expect, it } from "vitest";
import { DomainError } from "../errors/domain-error";
import { toAnswerError } from "./answer-error";

const row: ReceiptRow = {
	stage: "answer",
	payer: "deployment",
	provider: "openai-compatible",
	vendor_host: "models.example",
	model: "m",
	input_tokens: 3,
	output_tokens: 0,
	ms: 1,
	attempts: 1,
	reason: "It pays.",
};

const vendors = new ProviderError("It is busy.", {
	code: "overloaded",
	vendorHost: "models.example",
	retryAfterMs: 2000,
});

describe("an error after calls that were made", () => {
	it.each([
		["of a vendor", vendors, { origin: "upstream", code: "overloaded", retryAfterSeconds: 2 }],
		[
			"of the API",
			new DomainError("refused", "No.", { param: "model" }),
			{ code: "refused", param: "model" },
		],
		["that nobody expected", new TypeError("x is not a function"), { code: "internal_error" }],
	])("has their rows: %s", (_, error, expected) => {
		expect(toAnswerError(error, { visibility: "trace", receipt: [row] })).toMatchObject({
			...expected,
			details: { receipt: [row] },
		});
	});

	it("keeps its other details", () => {
		const error = new DomainError("refused", "No.", { details: { refusals: [] } });
		expect(toAnswerError(error, { visibility: "receipt", receipt: [row] })).toMatchObject({
			details: { refusals: [], receipt: [row] },
		});
	});

	it("names none to those who see answers alone", () => {
		const shown = toAnswerError(vendors, { visibility: "answer", receipt: [row] });
		expect(shown).toMatchObject({ origin: "upstream", code: "overloaded" });
		expect(JSON.stringify(shown)).not.toContain("models.example");
	});
});

it("is the same error where no call was made", () => {
	for (const error of [new TypeError("x"), new DomainError("refused", "No.")])
		expect(toAnswerError(error, { visibility: "trace" })).toBe(error);
});
