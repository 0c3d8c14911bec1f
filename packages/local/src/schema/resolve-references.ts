import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { StepBudget } from "./budget";

/** JSON Schema that is an object; `$ref`, `$id` and `$anchor` lead from one to another. */
export type SchemaObject = Readonly<Record<string, Json>>;

/** The schemas of one document by what they are referred to. */
export interface SchemaReferences {
	/**
	 * The schema that the `$ref` of another one leads to.
	 *
	 * @throws Error for a reference that leads nowhere.
	 */
	resolve(from: SchemaObject): Json;
	/** All schemas of the document. */
	readonly schemas: readonly SchemaObject[];
}

/** A schema with an `$id` of its own, or the document. */
interface Resource {
	readonly base: string;
	readonly root: Json;
	readonly anchors: Map<string, SchemaObject>;
}

/** Base of documents without an `$id`. */
const BASE = "https://schema.invalid/";
/** Identifiers within each other add up to long addresses. */
const STEPS_PER_ID_CHARACTER = 4;
const LISTS = ["prefixItems", "items", "allOf", "anyOf", "oneOf"];
const MAPS = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"];
const SINGLES = [
	"additionalItems",
	"unevaluatedItems",
	"items",
	"contains",
	"additionalProperties",
	"unevaluatedProperties",
	"propertyNames",
	"not",
	"if",
	"then",
	"else",
];

/** Reads `$id`, `$anchor` and `$ref` (JSON Schema core, 2020-12, section 8), in one walk over the document. */
export function readReferences(document: Json, budget: StepBudget): SchemaReferences {
	const rootResource: Resource = { base: BASE, root: document, anchors: new Map() };
	const resources = new Map([[BASE, rootResource]]);
	const resourceOf = new Map<SchemaObject, Resource>();
	const targets = new Map<SchemaObject, Json>();
	const queue = toQueue([document], rootResource);
	for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
		budget.spend(1);
		const { schema } = next;
		const resource = openResource(schema, next.resource, resources, budget);
		resourceOf.set(schema, resource);
		const { $anchor: anchor } = schema;
		if (typeof anchor === "string") resource.anchors.set(anchor, schema);
		for (const entry of toQueue(listSubschemas(schema), resource)) queue.push(entry);
	}

	function resolve(from: SchemaObject): Json {
		const known = targets.get(from);
		if (known !== undefined) return known;
		const reference = String(from.$ref);
		const found = find(reference, resourceOf.get(from) ?? rootResource, resources);
		if (found === undefined)
			throw new Error(`the \`$ref\` ${JSON.stringify(reference)} is not defined in it`);
		targets.set(from, found);
		return found;
	}

	return { resolve, schemas: [...resourceOf.keys()] };
}

const toQueue = (schemas: readonly (Json | undefined)[], resource: Resource) =>
	schemas.flatMap((schema) => (isSchemaObject(schema) ? [{ schema, resource }] : []));

function listSubschemas(schema: SchemaObject): (Json | undefined)[] {
	const lists = LISTS.map((key) => schema[key]).flatMap((list) => (Array.isArray(list) ? list : []));
	const maps = MAPS.map((key) => schema[key]).flatMap((map) =>
		isSchemaObject(map) ? Object.values(map) : [],
	);
	return [...SINGLES.map((key) => schema[key]), ...lists, ...maps];
}

/** The resource that a schema is part of: its own, which is added to the others, where it has an `$id`. */
function openResource(
	schema: SchemaObject,
	outer: Resource,
	resources: Map<string, Resource>,
	budget: StepBudget,
): Resource {
	const { $id: id } = schema;
	if (typeof id !== "string" || id.startsWith("#")) return outer;
	const base = new URL(id, outer.base).href.replace(/#$/, "");
	budget.spend(STEPS_PER_ID_CHARACTER * base.length);
	if (resources.has(base)) throw new Error(`the \`$id\` ${JSON.stringify(id)} occurs twice`);
	const resource: Resource = { base, root: schema, anchors: new Map() };
	resources.set(base, resource);
	return resource;
}

function find(
	reference: string,
	{ base }: Resource,
	resources: ReadonlyMap<string, Resource>,
): Json | undefined {
	const hash = reference.indexOf("#");
	const path = hash === -1 ? reference : reference.slice(0, hash);
	const fragment = hash === -1 ? "" : decode(reference.slice(hash + 1));
	const resource = resources.get(path === "" ? base : toAbsolute(path, base));
	if (resource === undefined || fragment === "") return resource?.root;
	return fragment.startsWith("/") ? followPointer(resource.root, fragment) : resource.anchors.get(fragment);
}

export const isSchemaObject = (value: Json | undefined): value is SchemaObject => isJsonObject(value);

function toAbsolute(reference: string, base: string): string {
	try {
		return new URL(reference, base).href;
	} catch {
		return reference;
	}
}

function decode(fragment: string): string {
	try {
		return decodeURIComponent(fragment);
	} catch {
		return fragment;
	}
}

/** JSON Pointer (RFC 6901). */
function followPointer(root: Json, pointer: string): Json | undefined {
	let value: Json | undefined = root;
	for (const token of pointer.split("/").slice(1)) {
		const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
		if (Array.isArray(value)) value = value[Number(key)];
		else value = isSchemaObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	}
	return value;
}
