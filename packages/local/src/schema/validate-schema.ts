import type { Json, JsonSchema } from "@stemma/core";
import { StemmaError } from "@stemma/core";
import type { SchemaValidationResult } from "@stemma/engine";
import { applySchema } from "./apply-schema";
import { createStepBudget, MAX_CHECK_STEPS, type StepBudget } from "./budget";
import type { PreparedSchema, SchemaError, ValueLocation } from "./keyword-context";
import { readReferences } from "./resolve-references";

/** @param maxSteps - default: about a tenth of a second. */
export type CompiledSchema = (value: Json, maxSteps?: number) => SchemaValidationResult;

const compiled = new WeakMap<JsonSchema, CompiledSchema>();

/**
 * Checks a value against a JSON Schema (draft 2020-12) without `eval`, so that it runs under any content security policy,
 * and in bounded time, whatever the schema is: patterns are matched without backtracking, and steps are counted.
 *
 * @param maxSteps - steps that the check may take. Default 5 million, about a tenth of a second.
 * @throws StemmaError `schema_too_costly` where it would take more steps.
 */
export function validateSchema(schema: JsonSchema, value: Json, maxSteps?: number): SchemaValidationResult {
	try {
		const known = compiled.get(schema) ?? compileSchema(schema);
		compiled.set(schema, known);
		return known(value, maxSteps);
	} catch (error) {
		if (StemmaError.is(error)) throw error;
		return { valid: false, errors: [`The schema cannot be used: ${describeFailure(error)}.`] };
	}
}

/**
 * @param noMatchMessage - what is said of a place where nothing may be.
 * @throws Error for a schema that cannot be used; so does what it returns, where that shows only then.
 */
export function compileSchema(
	schema: JsonSchema,
	noMatchMessage = "No value is allowed here.",
): CompiledSchema {
	const prepared = prepareSchema(schema, createStepBudget());
	return (value, maxSteps = MAX_CHECK_STEPS) => {
		const { isValid, errors } = applySchema(prepared, value, createStepBudget(maxSteps));
		return isValid ? { valid: true } : { valid: false, errors: describe(errors, noMatchMessage) };
	};
}

/** A copy: what is changed later changes nothing here. */
function prepareSchema(schema: JsonSchema, budget: StepBudget): PreparedSchema {
	const json = JSON.stringify(schema);
	const root: Json = JSON.parse(json);
	const references = readReferences(root, budget);
	return { root, references, patterns: new Map(), isTracked: json.includes('"unevaluated') };
}

/** Returns why a schema cannot be resolved, as far as that is visible before use: a reference that leads nowhere. */
export function findReferenceProblem(schema: JsonSchema): string | undefined {
	try {
		const { references } = prepareSchema(schema, createStepBudget());
		for (const part of references.schemas) if (part.$ref !== undefined) references.resolve(part);
		// Whatever the value is, references that go in a circle are followed.
		compileSchema(schema)({});
		return undefined;
	} catch (error) {
		return describeFailure(error);
	}
}

export function describeFailure(error: unknown): string {
	if (error instanceof RangeError) return "its parts are nested too deeply";
	return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

const MAX_SENTENCE_CHARACTERS = 2_000;

/** A parent fails with its part; the part says more. */
function describe(errors: readonly SchemaError[], noMatchMessage: string): string[] {
	const written = errors.map(({ location, message = () => noMatchMessage }) => ({
		path: toJsonPointer(location),
		message,
	}));
	const isInnermost = ({ path }: { readonly path: string }): boolean =>
		!written.some((other) => other.path.startsWith(`${path}/`));
	const sentences = written
		.filter(isInnermost)
		.map(({ path, message }) => `${path || "The value"}: ${message()}`.slice(0, MAX_SENTENCE_CHARACTERS));
	return [...new Set(sentences)];
}

/** JSON Pointer (RFC 6901). */
function toJsonPointer(location: ValueLocation | undefined): string {
	const tokens: string[] = [];
	for (let current = location; current !== undefined; current = current.parent)
		tokens.push(String(current.key).replaceAll("~", "~0").replaceAll("/", "~1"));
	return tokens
		.reverse()
		.map((token) => `/${token}`)
		.join("");
}
