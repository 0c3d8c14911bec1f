import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { StepBudget } from "./budget";

/**
 * A text that is the same for equal values alone: members of objects stand in the order of their names, texts behind their
 * length, which takes less than to escape what is in them.
 */
export function toCanonicalText(value: Json, budget: StepBudget): string {
	budget.spend(1);
	if (typeof value === "string") return canonicalString(value, budget);
	// 0 and -0 are one number.
	if (typeof value !== "object" || value === null) return JSON.stringify(value === 0 ? 0 : value);
	if (Array.isArray(value)) return `[${value.map((item: Json) => toCanonicalText(item, budget)).join()}]`;
	const members = Object.entries(value);
	members.sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([name, member]) => `${canonicalString(name, budget)}:${toCanonicalText(member, budget)}`).join()}}`;
}

function canonicalString(text: string, budget: StepBudget): string {
	budget.spend(text.length >> 4);
	return `"${text.length}:${text}`;
}

/** Equality of JSON Schema (core, section 4.2.2). */
export function isEqualJson(one: Json, other: Json, budget: StepBudget): boolean {
	budget.spend(1);
	if (typeof one === "string" && typeof other === "string" && one.length === other.length)
		budget.spend(one.length >> 6);
	if (one === other) return true;
	if (typeof one === "string" || !isJsonObject(one) !== !isJsonObject(other)) return false;
	if (Array.isArray(one))
		return (
			Array.isArray(other) &&
			one.length === other.length &&
			one.every((item: Json, index) => isEqualJson(item, other[index] ?? null, budget))
		);
	if (!isJsonObject(one) || !isJsonObject(other)) return false;
	const names = Object.keys(one);
	const count = Object.keys(other).length;
	budget.spend(names.length + count);
	return (
		names.length === count &&
		names.every(
			(name) => Object.hasOwn(other, name) && isEqualJson(one[name] ?? null, other[name] ?? null, budget),
		)
	);
}
