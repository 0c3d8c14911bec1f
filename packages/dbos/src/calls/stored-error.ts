import { type Json, type JsonObject, StemmaError } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { toRunError } from "@stemma/engine";

/** Fields of an error that the engine reads beside its code, message and hint. */
const REPORT_FIELDS = ["attempts", "usage", "receipt", "details"] as const;

/** Error of a port as JSON. @param code - for errors without one. */
export function toStoredError(error: unknown, code: string): JsonObject {
	const stored: Record<string, Json> = { ...toRunError(error, code) };
	for (const field of REPORT_FIELDS) {
		const value = readField(error, field);
		if (value !== undefined) stored[field] = value;
	}
	return stored;
}

/** Reads a field of what was thrown, which may throw when it is read, and need not be JSON. */
function readField(error: unknown, field: string): Json | undefined {
	if (typeof error !== "object" || error === null) return undefined;
	try {
		return toJson(Reflect.get(error, field));
	} catch {
		return undefined;
	}
}

/** The error that {@link toStoredError} stored, as a port throws it. */
export function toThrownError({ code, message, hint, ...report }: JsonObject): StemmaError {
	return new StemmaError(
		String(message),
		{ code: String(code), hint: typeof hint === "string" ? hint : undefined },
		report,
	);
}

/** A copy as JSON. @returns `undefined` for what JSON does not have. */
export function toJson(value: unknown): Json | undefined {
	const text: string | undefined = JSON.stringify(value);
	return text === undefined ? undefined : (JSON.parse(text) as Json);
}

/** A copy as an object of JSON, or `null` for anything else. */
export function toJsonObject(value: unknown): JsonObject | null {
	const copy = toJson(value);
	return isJsonObject(copy) ? copy : null;
}
