import type { Guard, Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** Checks whether a `when` holds for a node's output. A pointer into text, other than `""`, does not hold. */
export function guardHolds(guard: Guard, output: Json): boolean {
	const value = readPointer(output, guard.path);
	if (value === undefined) return false;
	if ("equals" in guard) return equalJson(value, guard.equals);
	if ("in" in guard) return guard.in.some((candidate) => equalJson(value, candidate));
	return true;
}

/** JSON Pointer (RFC 6901). */
function readPointer(root: Json, pointer: string): Json | undefined {
	let value: Json | undefined = root;
	for (const token of pointer.split("/").slice(1)) {
		const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
		if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
		else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	}
	return value;
}

function equalJson(a: Json, b: Json): boolean {
	if (a === b) return true;
	if (Array.isArray(a) && Array.isArray(b))
		return a.length === b.length && a.every((element, index) => equalJson(element, b[index] ?? null));
	if (!isJsonObject(a) || !isJsonObject(b)) return false;
	const keys = Object.keys(a);
	return (
		keys.length === Object.keys(b).length &&
		keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key] ?? null, b[key] ?? null))
	);
}
