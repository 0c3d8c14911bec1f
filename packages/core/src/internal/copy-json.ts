import type { AgentGraphIssue } from "../errors";
import type { Json } from "../json";
import { quote } from "./quote";

/** Deeper nesting than this is refused: nobody needs it, and it could exhaust the stack of whoever walks it. */
const MAX_NESTING = 64;

/** More values than this are refused: an object that many others share would be copied without end. */
const MAX_VALUES = 1_000_000;

/**
 * A deeply frozen copy of `value`, and an issue for each part of it that JSON cannot hold. Properties that are
 * `undefined` are left out and -0 becomes 0, as `JSON.stringify` does; nothing else is dropped or changed in silence.
 * `undefined` when the value as a whole could not be copied.
 */
export function copyJson(value: unknown, issues: AgentGraphIssue[]): Json | undefined {
	const path: (string | number)[] = [];
	const ancestors = new Set<object>();
	let copied = 0;

	function addIssue(message: string, ...subpath: readonly (string | number)[]): undefined {
		// The first key of the path is that of the list around the value.
		issues.push({ code: "invalid_shape", message, path: [...path.slice(1), ...subpath] });
	}

	function copyAt(owner: object, key: string | number): Json | undefined {
		path.push(key);
		let element: Json | undefined;
		try {
			element = copy((owner as Readonly<Record<string | number, unknown>>)[key]);
		} catch {
			// Getters and proxies run code of their own, which may throw anything.
			addIssue("Reading it threw an error; plain data is needed.");
		}
		path.pop();
		return element;
	}

	function copy(current: unknown): Json | undefined {
		copied += 1;
		if (current === null || typeof current === "string" || typeof current === "boolean") return current;
		if (typeof current === "number")
			return Number.isFinite(current)
				? current + 0
				: addIssue(`${current} is not a number that JSON can hold.`);
		if (typeof current === "object") return copyNested(current);
		if (current === undefined && typeof path.at(-1) === "string") return undefined;
		return addIssue(`A value of type ${typeof current} is not JSON, and would not survive being saved.`);
	}

	function copyNested(current: object): Json | undefined {
		if (ancestors.has(current)) return addIssue("The value contains itself.");
		if (path.length > MAX_NESTING) return addIssue(`Nested more than ${MAX_NESTING} levels deep.`);
		ancestors.add(current);
		try {
			return Array.isArray(current) ? copyArray(current) : copyObject(current);
		} finally {
			ancestors.delete(current);
		}
	}

	function copyArray(array: readonly unknown[]): Json {
		const copies: Json[] = [];
		for (let index = 0; index < array.length && copied <= MAX_VALUES; index++) {
			if (!(index in array)) {
				addIssue("Missing: an array must not have holes.", index);
				break;
			}
			copies.push(copyAt(array, index) ?? null);
		}
		return Object.freeze(copies);
	}

	function copyObject(object: object): Json | undefined {
		if (!isPlainObject(object)) return addIssue(describeForeignObject(object));
		const copies: Record<string, Json> = {};
		for (const key of Object.keys(object)) {
			if (copied > MAX_VALUES) break;
			if (key === "__proto__") {
				addIssue("Not allowed as a key: programs that copy it would change the object's prototype.", key);
				continue;
			}
			const element = copyAt(object, key);
			if (element !== undefined) copies[key] = element;
		}
		return Object.freeze(copies);
	}

	const whole = copyAt([value], 0);
	if (copied <= MAX_VALUES) return whole;
	return addIssue(`More than ${MAX_VALUES} values; objects that are shared count each time.`);
}

/** Checks whether an object is plain, in any realm: its prototype is null or has itself no prototype. */
function isPlainObject(object: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(object);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describeForeignObject(object: object): string {
	if ("_zod" in object || "~standard" in object)
		return 'A schema object is not JSON. Convert it: toJsonSchema(schema) from "@stemma/core/zod".';
	const name: unknown = object.constructor?.name;
	return `${typeof name === "string" && name !== "" ? `An object of class ${quote(name)}` : "Such an object"} is not JSON; write it as a plain object.`;
}
