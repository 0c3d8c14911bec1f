/** JSON object whose fields are not checked. */
export type Fields = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);

export type FieldType = "string" | "strings" | "integer" | "boolean" | "number";

const TYPES: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
	string: (value) => typeof value === "string",
	strings: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === "boolean",
	number: (value) => typeof value === "number",
};

export const isOfType = (value: unknown, type: FieldType): boolean => TYPES[type](value);
