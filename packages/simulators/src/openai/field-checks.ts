import { reject } from "./rejection.ts";

/** JSON object whose fields are not checked. */
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

export function rejectType(param: string, expected: string, value: unknown): never {
	return value === undefined
		? reject(`Missing required parameter: '${param}'.`, param, "missing_required_parameter")
		: reject(
				`Invalid type for '${param}': expected ${article(expected)}, but got ${article(typeName(value))} instead.`,
				param,
				"invalid_type",
			);
}

export function getObject(value: unknown, param: string): Fields {
	return isObject(value) ? value : rejectType(param, "object", value);
}

export function getString(value: unknown, param: string): string {
	return typeof value === "string" ? value : rejectType(param, "string", value);
}

export function getArray(value: unknown, param: string): readonly unknown[] {
	return Array.isArray(value) ? value : rejectType(param, "array", value);
}

export function assertOneOf(value: unknown, allowed: readonly string[], param: string): void {
	const text = getString(value, param);
	if (allowed.includes(text)) return;
	const listed = allowed.map((name) => `'${name}'`).join(", ");
	reject(`Invalid value: '${text}'. Supported values are: ${listed}.`, param, "invalid_value");
}

export function assertNumber(value: unknown, from: number, to: number, param: string): void {
	if (typeof value !== "number") rejectType(param, "number", value);
	if (value < from)
		reject(
			`Invalid '${param}': decimal below minimum value. Expected a value >= ${from}, but got ${value} instead.`,
			param,
			"decimal_below_min_value",
		);
	if (value > to)
		reject(
			`Invalid '${param}': decimal above maximum value. Expected a value <= ${to}, but got ${value} instead.`,
			param,
			"decimal_above_max_value",
		);
}

export function assertPositiveInteger(value: unknown, param: string): void {
	if (!Number.isInteger(value)) rejectType(param, "integer", value);
	assertNumber(value, 1, Number.MAX_SAFE_INTEGER, param);
}

/** Unknown names inside a parameter; the top level has an older wording. */
export function rejectUnknown(object: Fields, known: readonly string[], param: string): void {
	const unknown = Object.keys(object).find((name) => !known.includes(name));
	if (unknown !== undefined)
		reject(`Unknown parameter: '${param}.${unknown}'.`, `${param}.${unknown}`, "unknown_parameter");
}
