import { isJsonObject } from "@stemma/core/internal";

/** Anything that a vendor may send: nothing is taken for granted. */
export interface Fields {
	readonly [name: string]: unknown;
}

export const asObject = (value: unknown): Fields => (isJsonObject(value) ? value : {});
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** JSON text of an object; undefined for anything else. */
export function parseObject(text: string): Fields | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
