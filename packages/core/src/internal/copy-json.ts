import type { AgentGraphIssue } from "../errors";
import { isJsonObject, type Json } from "../json";
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
	const copying: Copying = { issues, path: [], ancestors: [], copied: 0 };
	const whole = copyAt(copying, [value], 0);
	if (copying.copied <= MAX_VALUES) return whole;
	return addIssue(copying, `More than ${MAX_VALUES} values; objects that are shared count each time.`);
}

/** Checks whether `value` is as it was when `copy` was made of it, keys in the same order: another copy would be the same. */
export function isCopyOf(copy: unknown, value: unknown): boolean {
	if (Array.isArray(copy) && Array.isArray(value))
		return copy.length === value.length && copy.every((element, index) => isCopyOf(element, value[index]));
	if (!isJsonObject(copy) || !isJsonObject(value)) return copy === value;
	if (!isPlainObject(value)) return false;
	const keys = Object.keys(value);
	const copied = Object.keys(copy);
	return (
		copied.length === keys.length &&
		copied.every((key, index) => key === keys[index] && isCopyOf(copy[key], value[key]))
	);
}

/** A copy under way. */
interface Copying {
	readonly issues: AgentGraphIssue[];
	/** Keys from a list around the value to where the copy is now. */
	readonly path: (string | number)[];
	/** The objects around the value that is copied now. */
	readonly ancestors: object[];
	/** Number of values so far. */
	copied: number;
}

function addIssue({ issues, path }: Copying, message: string, ...subpath: (string | number)[]): undefined {
	// The first key of the path is that of the list around the value.
	issues.push({ code: "invalid_shape", message, path: [...path.slice(1), ...subpath] });
}

function copyAt(copying: Copying, owner: object, key: string | number): Json | undefined {
	copying.path.push(key);
	let element: Json | undefined;
	try {
		element = copy(copying, (owner as Readonly<Record<string | number, unknown>>)[key]);
	} catch {
		// Getters and proxies run code of their own, which may throw anything.
		addIssue(copying, "Reading it threw an error; plain data is needed.");
	}
	copying.path.pop();
	return element;
}

function copy(copying: Copying, current: unknown): Json | undefined {
	copying.copied += 1;
	if (current === null || typeof current === "string" || typeof current === "boolean") return current;
	if (typeof current === "number")
		return Number.isFinite(current)
			? current + 0
			: addIssue(copying, `${current} is not a number that JSON can hold.`);
	if (typeof current === "object") return copyNested(copying, current);
	if (current === undefined && typeof copying.path.at(-1) === "string") return undefined;
	return addIssue(
		copying,
		`A value of type ${typeof current} is not JSON, and would not survive being saved.`,
	);
}

function copyNested(copying: Copying, current: object): Json | undefined {
	const { ancestors, path } = copying;
	if (ancestors.includes(current)) return addIssue(copying, "The value contains itself.");
	if (path.length > MAX_NESTING) return addIssue(copying, `Nested more than ${MAX_NESTING} levels deep.`);
	ancestors.push(current);
	try {
		return Array.isArray(current) ? copyArray(copying, current) : copyObject(copying, current);
	} finally {
		ancestors.pop();
	}
}

function copyArray(copying: Copying, array: readonly unknown[]): Json {
	const copies: Json[] = [];
	for (let index = 0; index < array.length && copying.copied <= MAX_VALUES; index++) {
		if (!(index in array)) {
			addIssue(copying, "Missing: an array must not have holes.", index);
			break;
		}
		copies.push(copyAt(copying, array, index) ?? null);
	}
	return Object.freeze(copies);
}

function copyObject(copying: Copying, object: object): Json | undefined {
	if (!isPlainObject(object)) return addIssue(copying, describeForeignObject(object));
	const copies: Record<string, Json> = {};
	for (const key of Object.keys(object)) {
		if (copying.copied > MAX_VALUES) break;
		if (key === "__proto__") {
			addIssue(
				copying,
				"Not allowed as a key: programs that copy it would change the object's prototype.",
				key,
			);
			continue;
		}
		const element = copyAt(copying, object, key);
		if (element !== undefined) copies[key] = element;
	}
	return Object.freeze(copies);
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
