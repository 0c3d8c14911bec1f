import type { Json, JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { findNodeAtLocation, getLocation, getNodeValue, type JSONPath, parseTree } from "jsonc-parser";

/** Suggestion for a place in a text. */
export interface Completion {
	readonly label: string;
	/** JSON to write. */
	readonly text: string;
	readonly description: string | undefined;
}

/** Suggestions, and the range that they replace. */
export interface Completions {
	readonly from: number;
	readonly to: number;
	readonly options: readonly Completion[];
}

interface CompletionSources {
	/** JSON Schema of an agent graph. */
	readonly schema: JsonObject;
	/** Slugs of the knowledge bases that there are. */
	readonly knowledgeBases: readonly string[];
}

/** Finds what can be written at a place of a graph: fields, kinds and modes, ids of nodes, knowledge bases. */
export function findCompletions(text: string, offset: number, sources: CompletionSources): Completions {
	const { path, isAtPropertyKey } = getLocation(text, offset);
	const root = parseTree(text);
	const valueAt = (at: JSONPath): Json | undefined => {
		const node = root && findNodeAtLocation(root, at);
		return node && getNodeValue(node);
	};
	const range = findWord(text, offset);
	const parent = path.slice(0, -1);
	const owner = valueAt(parent);
	if (isAtPropertyKey) {
		const given = new Set(isJsonObject(owner) ? Object.keys(owner) : []);
		const hasColon = /^\s*:/.test(text.slice(range.to));
		const own = text.slice(range.from, range.to).replaceAll('"', "");
		const fields = findSchemas(sources.schema, parent, valueAt).flatMap(toFields);
		const options = fields
			.filter(({ label }) => label === own || !given.has(label))
			.map((field) => ({ ...field, text: `${JSON.stringify(field.label)}${hasColon ? "" : ": "}` }));
		return { ...range, options: unique(options) };
	}
	const values = findSchemas(sources.schema, path, valueAt).flatMap(toValues);
	return { ...range, options: unique([...values, ...findNames(path, valueAt, sources)]) };
}

const WORD_BEFORE = /"?[\w-]*$/;
const WORD_AFTER = /^[\w-]*"?/;

function findWord(text: string, offset: number): Pick<Completions, "from" | "to"> {
	const before = WORD_BEFORE.exec(text.slice(0, offset))?.[0] ?? "";
	const after = WORD_AFTER.exec(text.slice(offset))?.[0] ?? "";
	return { from: offset - before.length, to: offset + after.length };
}

/** Finds the schemas of a place; of nodes and edges, those of their kind or mode, as far as it is known. */
function findSchemas(
	schema: JsonObject,
	path: JSONPath,
	valueAt: (path: JSONPath) => Json | undefined,
): readonly JsonObject[] {
	const isChoice = path.at(-1) === "kind" || path.at(-1) === "mode";
	let schemas: readonly JsonObject[] = [schema];
	for (const [index, key] of path.entries()) {
		const children = schemas.flatMap(({ properties, items }) => {
			const child = typeof key === "number" ? items : isJsonObject(properties) ? properties[key] : undefined;
			return isJsonObject(child) ? [child] : [];
		});
		// A kind can be changed to any other.
		const value = isChoice ? undefined : valueAt(path.slice(0, index + 1));
		schemas = children.flatMap((child) => toAlternatives(schema, child, value));
	}
	return schemas;
}

function toAlternatives(
	root: JsonObject,
	schema: JsonObject,
	value: Json | undefined,
): readonly JsonObject[] {
	const { oneOf } = schema;
	if (!Array.isArray(oneOf)) return [schema];
	const definitions = isJsonObject(root.$defs) ? root.$defs : {};
	const alternatives = oneOf.flatMap((one) => {
		const name = isJsonObject(one) && typeof one.$ref === "string" ? one.$ref.replace("#/$defs/", "") : "";
		const definition = definitions[name];
		return isJsonObject(definition) ? [definition] : [];
	});
	const fitting = alternatives.filter((one) => fits(one, value));
	return fitting.length > 0 ? fitting : alternatives;
}

/** Checks that a value has the kind or mode of an alternative; an edge without a mode is a call. */
function fits({ properties }: JsonObject, value: Json | undefined): boolean {
	if (!isJsonObject(properties) || !isJsonObject(value)) return false;
	return ["kind", "mode"].some((name) => {
		const field = properties[name];
		return isJsonObject(field) && field.const !== undefined && field.const === (value[name] ?? field.default);
	});
}

const describe = (schema: Json | undefined): string | undefined =>
	isJsonObject(schema) && typeof schema.description === "string" ? schema.description : undefined;

const toFields = ({ properties }: JsonObject): readonly Completion[] =>
	Object.entries(isJsonObject(properties) ? properties : {}).map(([label, schema]) => ({
		label,
		text: label,
		description: describe(schema),
	}));

function toValues(schema: JsonObject): readonly Completion[] {
	const { const: only, type } = schema;
	const values = only !== undefined ? [only] : type === "boolean" ? [true, false] : [];
	return values.map((value) => toCompletion(value, describe(schema)));
}

const toCompletion = (value: Json, description?: string): Completion => ({
	label: typeof value === "string" ? value : JSON.stringify(value),
	text: JSON.stringify(value),
	description,
});

/** Names that a schema cannot know: of nodes in edges, and of knowledge bases. */
function findNames(
	path: JSONPath,
	valueAt: (path: JSONPath) => Json | undefined,
	{ knowledgeBases }: CompletionSources,
): readonly Completion[] {
	const field = path.at(-1);
	if (path[0] === "edges" && (field === "from" || field === "to")) {
		const nodes = valueAt(["nodes"]);
		const ids = (Array.isArray(nodes) ? nodes : []).flatMap((node) =>
			isJsonObject(node) && typeof node.id === "string" ? [node.id] : [],
		);
		return ids.map((id) => toCompletion(id));
	}
	if (path[2] === "knowledgeBases" && path.length === 4)
		return knowledgeBases.map((slug) => toCompletion(slug));
	return [];
}

const unique = (options: readonly Completion[]): readonly Completion[] => [
	...new Map(options.map((option) => [option.label, option])).values(),
];
