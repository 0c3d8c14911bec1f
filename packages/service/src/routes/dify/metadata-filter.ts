import type { JsonObject } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import * as z from "zod";
import { DomainError } from "../../errors/domain-error";

const MAX_CONDITIONS = 50;
const MAX_VALUE_CHARACTERS = 1_000;

const name = z.string().min(1).max(200);

/** Conditions on the metadata of documents, as Dify sends them. Earlier versions name the field in a list. */
export const metadataCondition = z.strictObject({
	logical_operator: z.enum(["and", "or"]).nullish(),
	conditions: z
		.array(
			z.strictObject({
				name: z.union([name, z.tuple([name]).transform(([only]) => only)]),
				comparison_operator: z.string().max(50),
				value: z
					.union([z.string().max(MAX_VALUE_CHARACTERS), z.number(), z.array(z.string()).max(MAX_CONDITIONS)])
					.nullish(),
			}),
		)
		.max(MAX_CONDITIONS)
		.nullish(),
});

type Condition = NonNullable<z.infer<typeof metadataCondition>["conditions"]>[number];

/**
 * Converts conditions to the filter of a search, which compares whole values.
 *
 * @throws DomainError `unsupported_parameter` for what such a filter cannot express.
 */
export function toSearchFilter({
	logical_operator,
	conditions,
}: z.infer<typeof metadataCondition>): JsonObject | undefined {
	if (conditions == null || conditions.length === 0) return undefined;
	if (logical_operator === "or" && conditions.length > 1)
		throw unsupported("logical_operator", 'Conditions cannot be joined by "or".');
	const filter = new Map<string, string | number>();
	for (const condition of conditions) {
		const value = toValue(condition);
		if (filter.has(condition.name) && filter.get(condition.name) !== value)
			throw unsupported("conditions", `There are several conditions for ${quote(condition.name)}.`);
		filter.set(condition.name, value);
	}
	// Makes own properties of all names, `__proto__` among them.
	return Object.fromEntries(filter);
}

function toValue({ comparison_operator: operator, value }: Condition): string | number {
	if (operator === "is" && typeof value === "string") return value;
	if (operator === "=" && (typeof value === "number" || isNumber(value))) return Number(value);
	if (operator !== "is" && operator !== "=")
		throw unsupported("conditions", `The comparison operator ${quote(operator)} is not supported.`);
	throw unsupported(
		"conditions",
		`The operator ${quote(operator)} needs ${NEEDED_VALUES[operator]} as value.`,
	);
}

const NEEDED_VALUES = { is: "a text", "=": "a number" } as const;

const isNumber = (value: Condition["value"]): boolean =>
	typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));

const unsupported = (field: string, message: string): DomainError =>
	new DomainError("unsupported_parameter", message, {
		param: `metadata_condition.${field}`,
		hint: 'Documents are filtered by whole values: "is" for texts and "=" for numbers, joined by "and".',
	});
