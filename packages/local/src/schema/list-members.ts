import type { Json } from "@stemma/core";
import type { SchemaObject } from "./resolve-references";

/** Members of a part of a schema, as names with their values, listed once. */
export type SchemaMembers = readonly (readonly [name: string, argument: Json])[];

const known = new WeakMap<SchemaObject, SchemaMembers>();

/** Members of a part of a schema, listed once: it is a private copy that never changes, and many values meet it. */
export function listMembers(part: SchemaObject): SchemaMembers {
	const members = known.get(part) ?? Object.entries(part);
	known.set(part, members);
	return members;
}
