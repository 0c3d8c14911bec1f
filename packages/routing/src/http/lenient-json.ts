import { isJsonObject, parseJson } from "@stemma/core/internal";

/** Object that a vendor sent; nothing about its fields is taken for granted. */
export interface Fields {
	readonly [name: string]: unknown;
}

export const asObject = (value: unknown): Fields => (isJsonObject(value) ? value : {});
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** JSON text of an object; undefined for anything else. */
export function parseObject(text: string): Fields | undefined {
	const value = parseJson(text);
	return isJsonObject(value) ? value : undefined;
}

/**
 * Checks whether a value is a plausible token count. A value that is not a whole number, or is larger than any call
 * takes (a sum of many must stay a whole number), counts as not reported.
 */
export const isTokenCount = (value: unknown): value is number =>
	Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e9;
