import type { Json } from "@stemma/core";
import {
	type Application,
	createEvaluated,
	type PreparedSchema,
	report,
	type SchemaError,
	type SchemaRun,
} from "./application";
import type { StepBudget } from "./budget";
import { KEYWORDS } from "./keywords";
import { listMembers } from "./list-members";
import { isSchemaObject } from "./resolve-references";

/** Schemas that apply within each other: those of a value's members, and those that schemas refer to. */
const MAX_SCHEMA_DEPTH = 1_000;
/** Applying a schema takes as long as so many states of a pattern. */
const STEPS_PER_SCHEMA = 20;
/** They look at what the other keywords have evaluated. */
const LAST = ["unevaluatedProperties", "unevaluatedItems"];

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

	function apply(schema: Json, to: Omit<Application, "run" | "schema">): boolean {
		budget.spend(STEPS_PER_SCHEMA);
		if (schema === false) return report({ run, place: to.place });
		if (!isSchemaObject(schema)) return true;
		run.depth += 1;
		if (run.depth > MAX_SCHEMA_DEPTH)
			throw new Error(
				`more than ${MAX_SCHEMA_DEPTH} schemas apply within each other: its references may go in a circle`,
			);
		const isValid = applyKeywords({ run, schema, ...to });
		run.depth -= 1;
		return isValid;
	}

	const evaluated = prepared.isTracked ? createEvaluated() : undefined;
	const isValid = apply(prepared.root, { value, place: undefined, evaluated });
	return { isValid, errors: run.errors };
}

function applyKeywords(application: Application): boolean {
	const { schema, run } = application;
	let isValid = true;
	const members = listMembers(schema);
	run.budget.spend(members.length);
	for (const [name, argument] of members)
		if (!LAST.includes(name) && KEYWORDS.get(name)?.(application, argument) === false) isValid = false;
	if (run.prepared.isTracked)
		for (const name of LAST) {
			const argument = schema[name];
			if (argument !== undefined && KEYWORDS.get(name)?.(application, argument) === false) isValid = false;
		}
	return isValid;
}
