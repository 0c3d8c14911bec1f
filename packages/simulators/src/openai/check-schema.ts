import { type Fields, isObject } from "./field-checks.ts";
import { reject } from "./rejection.ts";

/** The root must be an object; with `strict`, every object must list and close its properties. */
export function checkSchema(schema: unknown, isStrict: boolean, what: string, param: string): void {
	if (!isObject(schema) || schema.type !== "object")
		reject(
			`Invalid schema for ${what}: schema must be a JSON Schema of 'type: "object"', got 'type: "${isObject(schema) ? schema.type : "None"}"'.`,
			param,
			what.startsWith("function") ? "invalid_function_parameters" : null,
		);
	if (isStrict) checkStrict(schema, [], what, param);
}

function checkStrict(schema: Fields, path: readonly string[], what: string, param: string): void {
	const fail = (problem: string): never =>
		reject(
			`Invalid schema for ${what}: In context=(${path.map((key) => `'${key}'`).join(", ")}), ${problem}`,
			param,
		);
	if (isObject(schema.properties) || schema.type === "object") {
		if (schema.additionalProperties !== false)
			fail("'additionalProperties' is required to be supplied and to be false.");
		const missing = Object.keys(schema.properties ?? {}).find(
			(name) => !listOf(schema.required).includes(name),
		);
		if (missing !== undefined)
			fail(
				`'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
			);
	}
	for (const [key, inner] of innerSchemas(schema)) checkStrict(inner, [...path, ...key], what, param);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function* innerSchemas(schema: Fields): Generator<[readonly string[], Fields]> {
	for (const group of ["properties", "$defs"])
		for (const [name, inner] of Object.entries(schema[group] ?? {}))
			if (isObject(inner)) yield [[group, name], inner];
	if (isObject(schema.items)) yield [["items"], schema.items];
	for (const [index, inner] of listOf(schema.anyOf).entries())
		if (isObject(inner)) yield [["anyOf", String(index)], inner];
}
