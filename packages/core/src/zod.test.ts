import { expect, test } from "vitest";
import * as zod from "zod";
import * as mini from "zod/mini";
import * as zod3 from "zod/v3";
import { ConfigurationError } from "./errors";
import { toJsonSchema } from "./zod";

const expected = {
	type: "object",
	properties: { mood: { type: "string", enum: ["good", "bad"] }, n: { type: "number" } },
	required: ["mood"],
	additionalProperties: false,
};

test("zod, zod/mini and Standard JSON Schema give the same", () => {
	const classic = zod.object({ mood: zod.enum(["good", "bad"]), n: zod.number().optional() });
	const small = mini.object({ mood: mini.enum(["good", "bad"]), n: mini.optional(mini.number()) });
	const standard = {
		"~standard": {
			version: 1,
			vendor: "hand-made",
			jsonSchema: {
				output: ({ target }: { target: string }) => ({ $schema: `for ${target}`, ...expected }),
			},
		},
	};
	for (const schema of [classic, small, standard]) expect(toJsonSchema(schema)).toEqual(expected);
});

test("asks a library for the draft it publishes", () => {
	let requestedTarget = "";
	const output = ({ target }: { readonly target: string }): Record<string, unknown> => {
		requestedTarget = target;
		return {};
	};
	toJsonSchema({ "~standard": { jsonSchema: { output } } });
	expect(requestedTarget).toBe("draft-2020-12");
});

test("the result is plain JSON", () => {
	const schema = toJsonSchema(zod.object({ a: zod.array(zod.string()).describe("d").default([]) }));
	expect(JSON.parse(JSON.stringify(schema))).toStrictEqual(schema);
	expect(Object.keys(schema)).not.toContain("$schema");
});

const errorMessageOf = (schema: unknown): string => {
	try {
		toJsonSchema(schema as zod.ZodType);
	} catch (error) {
		if (ConfigurationError.is(error)) return error.message;
		throw error;
	}
	return "";
};

test("types that JSON has not are refused with a reason", () => {
	for (const schema of [zod.date(), mini.date(), zod.object({ a: zod.bigint() }), zod.function()])
		expect(errorMessageOf(schema)).toMatch(
			/^This schema has no JSON Schema: .+\. Give a zod 4 schema of JSON types/,
		);
	expect(errorMessageOf(zod.date())).toContain("Date");
});

test("what is no zod 4 schema is refused with what to do", () => {
	expect(errorMessageOf(zod3.object({ a: zod3.string() }))).toMatchInlineSnapshot(
		`"This is a schema of zod 3, which has no JSON Schema. Give a zod 4 schema of JSON types, or one that follows Standard JSON Schema."`,
	);
	expect(
		errorMessageOf({ "~standard": { version: 1, vendor: "v", validate: () => ({ value: 1 }) } }),
	).toMatchInlineSnapshot(
		`"This schema's library has no JSON Schema for it. Give a zod 4 schema of JSON types, or one that follows Standard JSON Schema."`,
	);
	expect(errorMessageOf({ type: "object" })).toMatchInlineSnapshot(
		`"This is no schema. Give a zod 4 schema of JSON types, or one that follows Standard JSON Schema."`,
	);
	for (const value of [undefined, null, 1, "x"])
		expect(errorMessageOf(value)).toMatch(/^This is no schema\. Give/);
});

test("a library's own error is the cause", () => {
	const broken = {
		"~standard": {
			jsonSchema: {
				output: () => {
					throw new Error("no such target");
				},
			},
		},
	};
	expect(errorMessageOf(broken)).toContain("no such target. Give");
});
