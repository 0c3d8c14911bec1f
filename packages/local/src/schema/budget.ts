import { StemmaError } from "@stemma/core";

/** Steps that a check may take: one for each state of a pattern at each character, 20 for each schema that is applied. */
export interface StepBudget {
	/** @throws StemmaError `schema_too_costly` once more steps were taken than there are. */
	spend(steps: number): void;
}

/** Steps of one check without a budget of its own: about a tenth of a second. */
export const MAX_CHECK_STEPS = 5_000_000;

export function createStepBudget(limit: number = MAX_CHECK_STEPS): StepBudget {
	let remaining = limit;
	return {
		spend(steps) {
			remaining -= steps;
			if (remaining < 0) throw createTooCostlyError(`it takes more than ${limit.toLocaleString("en")} steps`);
		},
	};
}

/** @param reason - why, after a colon. */
export const createTooCostlyError = (reason: string): StemmaError =>
	new StemmaError(`The value could not be checked against the JSON Schema: ${reason}.`, {
		code: "schema_too_costly",
		hint: "Simplify the schema: fewer references and alternatives within each other, shorter patterns and counts.",
	});
