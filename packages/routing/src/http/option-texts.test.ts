import { StemmaError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { createOpenAiCompatibleModel } from "../openai-compatible";
import { renameOptions, withOptions } from "./option-texts";

function getError(make: () => unknown): StemmaError {
	try {
		make();
	} catch (error) {
		if (StemmaError.is(error)) return error;
	}
	throw new Error("There is no error.");
}

describe("renameOptions", () => {
	const error = getError(() =>
		createOpenAiCompatibleModel({ baseUrl: "https://models.example?a=1", model: "m" }),
	);

	it("writes message and hint with the names of the application", () => {
		const { message, hint } = renameOptions(error, { baseUrl: "endpoint.url", apiKey: "key" });
		expect(message).toMatch(/^`endpoint\.url` must be /);
		expect(hint).toMatch(/A key goes into `key`, other credentials into `headers`\.$/);
	});

	it("leaves names of the library where the application gives none, and the error as it is", () => {
		expect(renameOptions(error, {})).toEqual({ message: error.message, hint: error.hint });
		expect(error).toMatchObject({ option: "baseUrl", message: expect.stringMatching(/^`baseUrl` /) });
	});

	it("changes nothing in errors of others, whatever they say", () => {
		const other = new StemmaError("See `baseUrl` and {baseUrl}.", { code: "other" });
		expect(renameOptions(other, { baseUrl: "url" })).toEqual({ message: other.message, hint: undefined });
	});

	it("leaves braces with blanks between them", () => {
		const failure = withOptions(
			{ message: "{credential} must be `{ apiKey }`.", hint: undefined },
			(message) => new StemmaError(message, { code: "other" }),
		);
		expect(failure.message).toBe("`credential` must be `{ apiKey }`.");
	});

	it("is not seen in the JSON of the error", () => {
		expect(JSON.stringify(error)).not.toContain("{baseUrl}");
	});
});
