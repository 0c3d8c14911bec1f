import type { AgentGraphIssue } from "./errors";
import type { Json } from "./json";

/** Deeper nesting than this is refused: no graph needs it, and it could exhaust the stack of whoever walks it. */
const MAX_NESTING = 64;

/**
 * A deeply frozen copy of `value`, and an issue for each part of it that JSON cannot hold. Properties that are
 * `undefined` are left out, as `JSON.stringify` does; nothing else is dropped or changed in silence.
 */
export function copyJson(value: unknown, issues: AgentGraphIssue[]): Json | undefined {
	const path: (string | number)[] = [];
	const open = new Set<object>();

	function refuse(message: string): undefined {
		issues.push({ code: "invalid_shape", message, path: [...path] });
	}

	function copyAt(key: string | number, element: unknown): Json | undefined {
		path.push(key);
		const copied = copy(element);
		path.pop();
		return copied;
	}

	function copy(current: unknown): Json | undefined {
		if (current === null || typeof current === "string" || typeof current === "boolean") return current;
		if (typeof current === "number")
			return Number.isFinite(current) ? current : refuse(`${current} is not a number that JSON can hold.`);
		if (typeof current !== "object")
			return refuse(`A value of type ${typeof current} is not JSON, and a graph must survive being saved as JSON.`);
		if (open.has(current)) return refuse("The value contains itself.");
		if (path.length >= MAX_NESTING) return refuse(`Nested more than ${MAX_NESTING} levels deep.`);
		open.add(current);
		const copied = Array.isArray(current) ? copyArray(current) : copyObject(current);
		open.delete(current);
		return copied;
	}

	function copyArray(array: readonly unknown[]): Json {
		const copies: Json[] = [];
		for (let index = 0; index < array.length; index++) copies.push(copyAt(index, array[index]) ?? null);
		return Object.freeze(copies);
	}

	function copyObject(object: object): Json | undefined {
		if (!isPlainObject(object)) return refuse(foreignObjectMessage(object));
		const copies: Record<string, Json> = {};
		for (const [key, element] of Object.entries(object)) {
			if (element === undefined) continue;
			if (key === "__proto__") {
				refuse('A key named "__proto__" is not allowed.');
				continue;
			}
			const copied = copyAt(key, element);
			if (copied !== undefined) copies[key] = copied;
		}
		return Object.freeze(copies);
	}

	return copy(value);
}

/** Of any realm: plain objects are those whose prototype is null or has none itself. */
function isPlainObject(object: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(object);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function foreignObjectMessage(object: object): string {
	if ("_zod" in object || "~standard" in object)
		return 'A schema object is not JSON. Convert it: toJsonSchema(schema) from "@stemma/core/zod".';
	const name = object.constructor?.name;
	return `An object of class ${name || "unknown"} is not JSON; write it as a plain object.`;
}
