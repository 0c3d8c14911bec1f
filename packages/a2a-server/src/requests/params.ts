import { isJsonObject } from "@stemma/core/internal";
import { invalidParam } from "../a2a-server-error";

/**
 * Parameters of a request, as JSON or as a query has them. Fields that nobody knows are left alone, and `null` is as good as
 * nothing (ProtoJSON).
 */
export type Params = { readonly [name: string]: unknown };

/** Ids and tokens that others make are no longer. */
const MAX_ID_LENGTH = 256;

/** @throws A2aServerError `INVALID_PARAMS`, as all of these do. */
export function readObject(params: Params, name: string, path = name): Params | undefined {
	const value = params[name] ?? undefined;
	if (value === undefined || isJsonObject(value)) return value;
	throw invalidParam(path, "Expected an object.");
}

export function readText(params: Params, name: string, path = name): string | undefined {
	const value = params[name] ?? undefined;
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

export function demandId(params: Params, name: string, path = name): string {
	const id = readId(params, name, path);
	if (id === undefined) throw invalidParam(path, "Missing: an id is required.");
	return id;
}

/** True or false; in a query as words. */
export function readFlag(params: Params, name: string, path = name): boolean | undefined {
	const value = params[name] ?? undefined;
	if (value === undefined || typeof value === "boolean") return value;
	if (value === "true" || value === "false") return value === "true";
	throw invalidParam(path, "Expected true or false.");
}

/** A whole number; in a query, and where ProtoJSON likes, as text. */
export function readCount(
	params: Params,
	name: string,
	{ least, most, path = name }: { readonly least: number; readonly most: number; readonly path?: string },
): number | undefined {
	const value = params[name] ?? undefined;
	if (value === undefined) return undefined;
	const count = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
	if (typeof count === "number" && Number.isInteger(count) && count >= least && count <= most) return count;
	throw invalidParam(path, `Expected a whole number from ${least} to ${most}.`);
}

/** `historyLength` of any request. */
export const readHistoryLength = (params: Params, path = "historyLength"): number | undefined =>
	readCount(params, "historyLength", { least: 0, most: 2 ** 31 - 1, path });
