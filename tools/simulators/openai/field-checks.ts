import { refuse } from "./refusal.ts";

export type Fields = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

function typeName(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "array";
	if (typeof value === "number") return Number.isInteger(value) ? "integer" : "decimal";
	return typeof value;
}

export function refuseType(param: string, expected: string, value: unknown): never {
	return value === undefined
		? refuse(`Missing required parameter: '${param}'.`, param, "missing_required_parameter")
		: refuse(
				`Invalid type for '${param}': expected ${article(expected)}, but got ${article(typeName(value))} instead.`,
				param,
				"invalid_type",
			);
}

export function demandObject(value: unknown, param: string): Fields {
	return isObject(value) ? value : refuseType(param, "object", value);
}

export function demandString(value: unknown, param: string): string {
	return typeof value === "string" ? value : refuseType(param, "string", value);
}

export function demandArray(value: unknown, param: string): readonly unknown[] {
	return Array.isArray(value) ? value : refuseType(param, "array", value);
}

export function demandOneOf(value: unknown, allowed: readonly string[], param: string): void {
	const text = demandString(value, param);
	if (allowed.includes(text)) return;
	const listed = allowed.map((name) => `'${name}'`).join(", ");
	refuse(`Invalid value: '${text}'. Supported values are: ${listed}.`, param, "invalid_value");
}

export function demandNumber(value: unknown, from: number, to: number, param: string): void {
	if (typeof value !== "number") refuseType(param, "number", value);
	if (value < from)
		refuse(
			`Invalid '${param}': decimal below minimum value. Expected a value >= ${from}, but got ${value} instead.`,
			param,
			"decimal_below_min_value",
		);
	if (value > to)
		refuse(
			`Invalid '${param}': decimal above maximum value. Expected a value <= ${to}, but got ${value} instead.`,
			param,
			"decimal_above_max_value",
		);
}

export function demandPositiveInteger(value: unknown, param: string): void {
	if (!Number.isInteger(value)) refuseType(param, "integer", value);
	demandNumber(value, 1, Number.MAX_SAFE_INTEGER, param);
}

/** Unknown names inside a parameter; the top level has an older wording. */
export function refuseUnknown(object: Fields, known: readonly string[], param: string): void {
	const unknown = Object.keys(object).find((name) => !known.includes(name));
	if (unknown !== undefined)
		refuse(`Unknown parameter: '${param}.${unknown}'.`, `${param}.${unknown}`, "unknown_parameter");
}
