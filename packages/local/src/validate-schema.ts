import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { JsonSchema } from "@stemma/core";
import type { SchemaValidator } from "@stemma/engine";

const validators = new WeakMap<JsonSchema, Validator>();

/** JSON Schema (draft 2020-12) without `eval`, so that it runs under any content security policy. */
export const validateSchema: SchemaValidator = (schema, value) => {
	try {
		const { valid, errors } = validatorOf(schema).validate(value);
		return valid ? { valid } : { valid, errors: describe(errors) };
	} catch (error) {
		// A reference that leads nowhere, for example.
		return {
			valid: false,
			errors: [`The schema cannot be used: ${error instanceof Error ? error.message : error}.`],
		};
	}
};

function validatorOf(schema: JsonSchema): Validator {
	const known = validators.get(schema);
	if (known !== undefined) return known;
	// The library writes into the schema that it is given, and ours is frozen.
	const copy = JSON.parse(JSON.stringify(schema)) as Schema;
	const validator = new Validator(copy, "2020-12", false);
	validators.set(schema, validator);
	return validator;
}

/** The library lists a failing parent before its failing part; the part says more. */
function describe(errors: readonly OutputUnit[]): string[] {
	const isInnermost = ({ instanceLocation }: OutputUnit): boolean =>
		!errors.some((other) => other.instanceLocation.startsWith(`${instanceLocation}/`));
	return errors
		.filter(isInnermost)
		.map(({ instanceLocation, error }) => `${instanceLocation.slice(1) || "The value"}: ${error}`);
}
