import { expect, it } from "vitest";
import { validateSchema } from "./validate-schema";

const schema = Object.freeze({
	type: "object",
	properties: { items: { type: "array", items: { type: "integer", minimum: 1 } } },
	required: ["items"],
});

it("takes what fits, also of a frozen schema, again and again", () => {
	expect(validateSchema(schema, { items: [1, 2] })).toEqual({ valid: true });
	expect(validateSchema(schema, { items: [] })).toEqual({ valid: true });
});

it("names the innermost place that does not fit", () => {
	expect(validateSchema(schema, { items: [1, 0] })).toEqual({
		valid: false,
		errors: ["/items/1: 0 is less than 1."],
	});
	expect(validateSchema(schema, {})).toMatchObject({
		valid: false,
		errors: [expect.stringContaining('"items"')],
	});
});

it("says when the schema itself cannot be used", () => {
	expect(validateSchema({ $ref: "#/$defs/missing" }, 1)).toEqual({
		valid: false,
		errors: [expect.stringContaining("The schema cannot be used")],
	});
});

it("checks patterns that are legal without the flag `u` alone", () => {
	const phone = { type: "string", pattern: "^\\d{3}\\-\\d{4}$" };
	expect(validateSchema(phone, "555-1234")).toEqual({ valid: true });
	expect(validateSchema(phone, "5551234")).toMatchObject({ valid: false });
	const open = { patternProperties: { "^[\\w-.]+$": { type: "number" } }, additionalProperties: false };
	expect(validateSchema(open, { "a-b.c": 1 })).toEqual({ valid: true });
	expect(validateSchema(open, { "a b": 1 })).toMatchObject({ valid: false });
});
