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

/** More than any call takes, and few enough for many of them to add up to a whole number. */
const MOST_TOKENS = 1_000_000_000;

/** Whether a vendor reports so many tokens: what is no whole number, or more than can be, counts as not reported. */
export const isTokenCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;
