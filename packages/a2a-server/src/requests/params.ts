import { isJsonObject } from "@stemma/core/internal";
import { invalidParam } from "../a2a-server-error";

/**
 * Parameters of a request, as JSON or as a query has them. Fields that nobody knows are left alone, and `null` is as good as
 * nothing (ProtoJSON).
 */
export type Params = { readonly [name: string]: unknown };

/** Ids and tokens that others make are no longer. */
const MAX_ID_LENGTH = 256;

/** Name of a field in `a2a.proto`: `task_id` for `taskId`. */
export const toProtoName = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Reads a field by either of its names: in camelCase, or as `a2a.proto` writes it. Parsers of ProtoJSON accept both.
 *
 * @param name - in camelCase.
 * @throws A2aServerError `INVALID_PARAMS` where both are given, as all of these do for bad values.
 */
export function readField(params: Params, name: string, path = name): unknown {
	const protoName = toProtoName(name);
	const names = [...new Set([name, protoName])].filter((one) => Object.hasOwn(params, one));
	if (names.length > 1)
		throw invalidParam(path, `Given twice, as ${name} and as ${protoName}: send one of them.`);
	const [given = name] = names;
	return params[given] ?? undefined;
}

export function readObject(params: Params, name: string, path = name): Params | undefined {
	const value = readField(params, name, path);
	if (value === undefined || isJsonObject(value)) return value;
	throw invalidParam(path, "Expected an object.");
}

export function readText(params: Params, name: string, path = name): string | undefined {
	const value = readField(params, name, path);
	if (value === undefined || typeof value === "string") return value;
	throw invalidParam(path, "Expected text.");
}

/** An id that someone else has made; empty is none (ProtoJSON). */
export function readId(params: Params, name: string, path = name): string | undefined {
	const id = readText(params, name, path);
	if (id !== undefined && id.length > MAX_ID_LENGTH)
		throw invalidParam(path, `Expected at most ${MAX_ID_LENGTH} characters.`);
	return id === "" ? undefined : id;
}

export function getId(params: Params, name: string, path = name): string {
	const id = readId(params, name, path);
	if (id === undefined) throw invalidParam(path, "Missing: an id is required.");
	return id;
}

/** True or false; in a query as words. */
export function readBoolean(params: Params, name: string, path = name): boolean | undefined {
	const value = readField(params, name, path);
	if (value === undefined || typeof value === "boolean") return value;
	if (value === "true" || value === "false") return value === "true";
	throw invalidParam(path, "Expected true or false.");
}

/** A whole number; in a query, and where ProtoJSON likes, as text. */
export function readInteger(
	params: Params,
	name: string,
	{ min, max, path = name }: { readonly min: number; readonly max: number; readonly path?: string },
): number | undefined {
	const value = readField(params, name, path);
	if (value === undefined) return undefined;
	const count = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
	if (typeof count === "number" && Number.isInteger(count) && count >= min && count <= max) return count;
	throw invalidParam(path, `Expected a whole number from ${min} to ${max}.`);
}

/**
 * A value of an enumeration, by its name or by its number (ProtoJSON). Empty is none.
 *
 * @param values - in the order of their numbers; the first, 0, is `…_UNSPECIFIED`.
 */
export function readEnum<Value extends string>(
	params: Params,
	name: string,
	values: readonly Value[],
	path = name,
): Value | undefined {
	const given = readField(params, name, path);
	if (given === undefined || given === "") return undefined;
	const isNumber = typeof given === "number" || (typeof given === "string" && /^\d{1,2}$/.test(given));
	const value = isNumber ? values[Number(given)] : values.find((known) => known === given);
	if (value !== undefined) return value;
	throw invalidParam(path, `Expected one of ${values.slice(1).join(", ")}.`);
}

/** A list of texts. */
export function readTexts(params: Params, name: string, path = name): readonly string[] | undefined {
	const texts = readField(params, name, path);
	if (texts === undefined) return undefined;
	if (Array.isArray(texts) && texts.every((text): text is string => typeof text === "string")) return texts;
	throw invalidParam(path, "Expected a list of texts.");
}

/** `historyLength` of any request. */
export const readHistoryLength = (params: Params, path = "historyLength"): number | undefined =>
	readInteger(params, "historyLength", { min: 0, max: 2 ** 31 - 1, path });
