import { type Schema, Validator } from "@cfworker/json-schema";
import type { SchemaValidator } from "@stemma/engine";

/** JSON Schema (draft 2020-12) without `eval`, so that it runs under any content security policy. */
export const validateSchema: SchemaValidator = (schema, value) => {
	const { valid, errors } = new Validator(schema as Schema, "2020-12", false).validate(value);
	if (valid) return { valid };
	// The validator lists a failing parent before its failing part; the part says more.
	const innermost = errors.filter(
		({ instanceLocation }) =>
			!errors.some((other) => other.instanceLocation.startsWith(`${instanceLocation}/`)),
	);
	return {
		valid,
		errors: innermost.map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#/, "") || "The value"}: ${error}`),
	};
};
