import type { Json } from "@stemma/core";
import type { StepBudget } from "./budget";
import {
	createEvaluated,
	type KeywordContext,
	type PreparedSchema,
	report,
	type SchemaError,
	type SchemaRun,
} from "./keyword-context";
import { KEYWORDS } from "./keywords";
import { listMembers } from "./list-members";
import { isSchemaObject } from "./resolve-references";

/** Schemas that apply within each other: those of a value's members, and those that schemas refer to. */
const MAX_SCHEMA_DEPTH = 1_000;
/** Applying a schema takes as long as so many states of a pattern. */
const STEPS_PER_SCHEMA = 20;
/** Keywords that are applied last: they depend on what the other keywords have evaluated. */
const UNEVALUATED_KEYWORDS = ["unevaluatedProperties", "unevaluatedItems"];

/**
 * Applies a schema to a value.
 *
 * @returns the first errors; none for a value that fits.
 * @throws StemmaError `schema_too_costly`; Error for a schema that cannot be used.
 */
export function applySchema(
	prepared: PreparedSchema,
	value: Json,
	budget: StepBudget,
): { readonly isValid: boolean; readonly errors: readonly SchemaError[] } {
	const run: SchemaRun = { prepared, budget, errors: [], depth: 0, apply };

	function apply(schema: Json, target: Omit<KeywordContext, "run" | "schema">): boolean {
		budget.spend(STEPS_PER_SCHEMA);
		if (schema === false) return report({ run, location: target.location });
		if (!isSchemaObject(schema)) return true;
		run.depth += 1;
		if (run.depth > MAX_SCHEMA_DEPTH)
			throw new Error(
				`more than ${MAX_SCHEMA_DEPTH} schemas apply within each other: its references may go in a circle`,
			);
		const isValid = applyKeywords({ run, schema, ...target });
		run.depth -= 1;
		return isValid;
	}

	const evaluated = prepared.isTracked ? createEvaluated() : undefined;
	const isValid = apply(prepared.root, { value, location: undefined, evaluated });
	return { isValid, errors: run.errors };
}

function applyKeywords(context: KeywordContext): boolean {
	const { schema, run } = context;
	let isValid = true;
	const members = listMembers(schema);
	run.budget.spend(members.length);
	for (const [name, argument] of members)
		if (!UNEVALUATED_KEYWORDS.includes(name) && KEYWORDS.get(name)?.(context, argument) === false)
			isValid = false;
	if (run.prepared.isTracked)
		for (const name of UNEVALUATED_KEYWORDS) {
			const argument = schema[name];
			if (argument !== undefined && KEYWORDS.get(name)?.(context, argument) === false) isValid = false;
		}
	return isValid;
}
