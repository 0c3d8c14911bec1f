import type { RunShareField } from "@stemma/client";

/** Fields of a link in their order, with the one that each needs. */
const FIELDS: readonly { readonly field: RunShareField; readonly needs?: RunShareField }[] = [
	{ field: "input" },
	{ field: "output" },
	{ field: "links", needs: "output" },
	{ field: "steps" },
	{ field: "tools", needs: "steps" },
	{ field: "receipt" },
];

/** Fields that are chosen at first. */
export const DEFAULT_FIELDS: ReadonlySet<RunShareField> = new Set(["input", "output"]);

/** Lists the fields that a person may share. @param seesSteps - they see the steps of runs. */
export const listFields = (seesSteps: boolean): readonly RunShareField[] =>
	FIELDS.map(({ field }) => field).filter((field) => seesSteps || (field !== "steps" && field !== "tools"));

/** Adds a field with the one that it needs, or takes it out with those that need it. */
export function toggleField(
	chosen: ReadonlySet<RunShareField>,
	field: RunShareField,
): ReadonlySet<RunShareField> {
	const next = new Set(chosen);
	if (next.delete(field)) {
		for (const other of FIELDS) if (other.needs === field) next.delete(other.field);
		return next;
	}
	next.add(field);
	const { needs } = FIELDS.find((one) => one.field === field) ?? {};
	return needs === undefined ? next : next.add(needs);
}
