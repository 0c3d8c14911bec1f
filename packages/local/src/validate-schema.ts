import { dereference, type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonSchema } from "@stemma/core";
import type { SchemaValidator, SchemaVerdict } from "@stemma/engine";
import { toUnicodePattern } from "./unicode-pattern";

type CompiledSchema = (value: Json) => SchemaVerdict;

const compiled = new WeakMap<JsonSchema, CompiledSchema>();

/** JSON Schema (draft 2020-12) without `eval`, so that it runs under any content security policy. */
export const validateSchema: SchemaValidator = (schema, value) => {
	try {
		const known = compiled.get(schema) ?? compileSchema(schema);
		compiled.set(schema, known);
		return known(value);
	} catch (error) {
		return { valid: false, errors: [`The schema cannot be used: ${describeFailure(error)}.`] };
	}
};

/**
 * @param refused - what is said of a place where nothing may be.
 * @throws Error for a schema that cannot be used; so does what it returns, where that shows only then.
 */
export function compileSchema(schema: JsonSchema, refused = "Nothing may be here."): CompiledSchema {
	const validator = new Validator(copySchema(schema), "2020-12", false);
	return (value) => {
		const { valid, errors } = validator.validate(value);
		return valid ? { valid } : { valid, errors: describe(errors, refused) };
	};
}

/** A copy for the library, which writes into the schema that it is given and compiles all patterns with the flag `u`. */
function copySchema(schema: JsonSchema): Schema {
	const json = JSON.stringify(schema);
	const copy = JSON.parse(json) as Schema;
	if (json.includes('"pattern')) for (const part of Object.values(dereference(copy))) rewritePatterns(part);
	return copy;
}

function rewritePatterns(schema: Schema | boolean): void {
	if (typeof schema === "boolean") return;
	const { pattern, patternProperties } = schema;
	if (typeof pattern === "string") schema.pattern = toUnicodePattern(pattern);
	if (patternProperties === undefined) return;
	schema.patternProperties = Object.fromEntries(
		Object.entries(patternProperties).map(([name, part]) => [toUnicodePattern(name), part]),
	);
}

/** Why a schema cannot be resolved, as far as that shows before it is used: a reference that leads nowhere. */
export function findReferenceProblem(schema: JsonSchema): string | undefined {
	try {
		const known = dereference(copySchema(schema));
		for (const part of Object.values(known))
			if (typeof part !== "boolean" && part.$ref !== undefined && !(toAddress(part, part.$ref) in known))
				return `the \`$ref\` ${JSON.stringify(part.$ref)} leads nowhere in it`;
		// Whatever the value is, references that go in a circle are followed.
		compileSchema(schema)({});
		return undefined;
	} catch (error) {
		return describeFailure(error);
	}
}

const toAddress = ({ __absolute_ref__: address }: Schema, reference: string): string => address ?? reference;

const describeFailure = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The library lists a failing parent before its failing part; the part says more. */
function describe(errors: readonly OutputUnit[], refused: string): string[] {
	const isInnermost = ({ instanceLocation }: OutputUnit): boolean =>
		!errors.some((other) => other.instanceLocation.startsWith(`${instanceLocation}/`));
	return errors.filter(isInnermost).map(({ instanceLocation, keyword, error }) => {
		const place = instanceLocation.slice(1) || "The value";
		return `${place}: ${keyword === "false" ? refused : error}`;
	});
}
