import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { invalidField } from "./saved-fields";

// What a run passes around is known by identity, too: its own input is a conversation, and what looks like one is not. So
// every object is written once, into a table, and stands elsewhere as `[index]`. There are no other arrays outside of the
// table, so that no value can pass for a reference.

/** Shorter texts are written where they stand. */
const MIN_SHARED_TEXT_CHARACTERS = 64;

export interface ValueWriter {
	/** Values in an order in which an entry comes after the entries that it refers to. */
	readonly table: Json[];
	/** Writes JSON, or an object of JSON whose interface does not say so. What is `undefined` in it is left out. */
	write(value: Json | object | undefined): Json;
}

export function createValueWriter(): ValueWriter {
	const table: Json[] = [];
	const indexes = new Map<object | string, number>();

	function write(value: Json | object | undefined): Json {
		if (value === undefined || value === null) return null;
		if (typeof value !== "string" && typeof value !== "object") return value;
		if (typeof value === "string" && value.length < MIN_SHARED_TEXT_CHARACTERS) return value;
		const known = indexes.get(value);
		if (known !== undefined) return [known];
		const entry = typeof value === "string" ? value : writeMembers(value);
		const index = table.push(entry) - 1;
		indexes.set(value, index);
		return [index];
	}

	function writeMembers(value: object): Json {
		if (Array.isArray(value)) return value.map(write);
		const entries: [string, Json | object | undefined][] = Object.entries(value);
		return Object.fromEntries(
			entries.filter(([, member]) => member !== undefined).map(([key, member]) => [key, write(member)]),
		);
	}

	return { table, write };
}

/** @returns what gives the value that was written. */
export function createValueReader(table: readonly Json[]): (written: Json | undefined, path: string) => Json {
	const values: Json[] = [];

	function read(written: Json | undefined, path: string): Json {
		if (written === null || (written !== undefined && typeof written !== "object")) return written;
		const index: unknown = Array.isArray(written) && written.length === 1 ? written[0] : undefined;
		const value = typeof index === "number" ? values[index] : undefined;
		if (value === undefined) throw invalidField(path, "a value, or where one stands");
		return value;
	}

	for (const [index, entry] of table.entries()) {
		const path = `values[${index}]`;
		if (typeof entry === "string") values.push(entry);
		else if (Array.isArray(entry)) values.push(Object.freeze(entry.map((member) => read(member, path))));
		else if (isJsonObject(entry)) {
			// Defines members one by one: a member `__proto__` is a member, too.
			const members = Object.entries(entry).map(([key, member]) => [key, read(member, path)] as const);
			values.push(Object.freeze(Object.fromEntries(members)));
		} else throw invalidField(path, "text, a list or an object");
	}
	return read;
}
