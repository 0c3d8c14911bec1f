import { isJsonObject } from "@stemma/core/internal";
import { formatJson } from "../terminal/text/format-json";
import { toDocComment } from "./doc-comment";
import type { TypeNames } from "./type-names";

/** A JSON Schema of a server, which may say anything. */
type Schema = { readonly [keyword: string]: unknown };

/** Deeper than any tool's arguments; what is below is `unknown`. */
const MAX_TYPE_DEPTH = 40;

/**
 * A TypeScript type for the values of a JSON Schema (draft 2020-12), as far as types can tell: formats, patterns and
 * figures stay unchecked. Every name and text of the schema goes through `JSON.stringify` or a comment that it cannot end.
 *
 * @param names - what `$ref` leads to within the same document gets a name of its own there; any other is `unknown`.
 */
export function schemaToType(schema: unknown, names: TypeNames, indent = "", depth = 0): string {
	if (schema === false) return "never";
	if (!isJsonObject(schema) || depth > MAX_TYPE_DEPTH) return "unknown";
	const toInnerType = (inner: unknown): string => schemaToType(inner, names, indent, depth + 1);
	const parts = [
		typeof schema.$ref === "string" ? names.nameOf(schema.$ref) : undefined,
		toLiterals(schema),
		joinTypes(schema.allOf, " & ", toInnerType),
		joinTypes(schema.anyOf, " | ", toInnerType),
		joinTypes(schema.oneOf, " | ", toInnerType),
		"enum" in schema || "const" in schema ? undefined : toPlainType(schema, names, indent, depth),
	].filter((part) => part !== undefined);
	return parts.length === 0
		? "unknown"
		: parts.length === 1
			? `${parts[0]}`
			: parts.map(parenthesize).join(" & ");
}

function toLiterals(schema: Schema): string | undefined {
	if ("const" in schema) return toLiteral(schema.const);
	if (!Array.isArray(schema.enum)) return undefined;
	return schema.enum.length === 0 ? "never" : [...new Set(schema.enum.map(toLiteral))].join(" | ");
}

/** Formats a value as a literal type; `unknown` for values without one. */
const toLiteral = (value: unknown): string =>
	value === null || ["string", "number", "boolean"].includes(typeof value) ? quote(value) : "unknown";

/**
 * Quotes a text without characters that are invisible, change the direction of text, or count as the end of a line for
 * some programs.
 */
const quote = formatJson;

function joinTypes(
	schemas: unknown,
	separator: string,
	toType: (schema: unknown) => string,
): string | undefined {
	if (!Array.isArray(schemas) || schemas.length === 0) return undefined;
	return [...new Set(schemas.map(toType))].map(parenthesize).join(separator);
}

const parenthesize = (type: string): string =>
	/ [|&] /.test(type) && !/^[{(]/.test(type) ? `(${type})` : type;

function toPlainType(schema: Schema, names: TypeNames, indent: string, depth: number): string | undefined {
	const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? guessType(schema)];
	const known = types.flatMap((type) => toNamedType(type, schema, names, indent, depth) ?? []);
	return known.length === 0 ? undefined : [...new Set(known)].join(" | ");
}

function guessType({ properties, items, prefixItems }: Schema): string | undefined {
	if (properties !== undefined) return "object";
	return items === undefined && prefixItems === undefined ? undefined : "array";
}

function toNamedType(
	type: unknown,
	schema: Schema,
	names: TypeNames,
	indent: string,
	depth: number,
): string | undefined {
	if (type === "integer" || type === "number") return "number";
	if (type === "string" || type === "boolean" || type === "null") return type;
	if (type === "array") return toArrayType(schema, names, indent, depth);
	return type === "object" ? toObjectType(schema, names, indent, depth) : undefined;
}

function toArrayType(
	{ items, prefixItems }: Schema,
	names: TypeNames,
	indent: string,
	depth: number,
): string {
	const toInnerType = (inner: unknown): string => schemaToType(inner, names, indent, depth + 1);
	if (!Array.isArray(prefixItems)) return `readonly ${asElement(toInnerType(items ?? true))}[]`;
	const rest = items === false ? [] : [`...${asElement(toInnerType(items ?? true))}[]`];
	return `readonly [${[...prefixItems.map((item) => `${asElement(toInnerType(item))}?`), ...rest].join(", ")}]`;
}

/** Puts a type in parentheses where `[]` or `?` after it would apply to only a part of it. */
const asElement = (type: string): string =>
	/^\w+$/.test(type) || (type.startsWith("{") && !/\} [|&] /.test(type)) ? type : `(${type})`;

function toObjectType(
	{ properties, required, additionalProperties }: Schema,
	names: TypeNames,
	indent: string,
	depth: number,
): string {
	const inner = `${indent}\t`;
	const known = isJsonObject(properties) ? Object.entries(properties) : [];
	if (known.length === 0) {
		if (additionalProperties === false) return "Record<string, never>";
		return `Record<string, ${schemaToType(additionalProperties ?? true, names, indent, depth + 1)}>`;
	}
	const needed = new Set(Array.isArray(required) ? required : []);
	const lines = known.map(([name, property]) => {
		const comment = isJsonObject(property) ? toDocComment(property.description, inner) : "";
		const type = schemaToType(property, names, inner, depth + 1);
		return `${comment}${inner}readonly ${toKey(name)}${needed.has(name) ? "" : "?"}: ${type};\n`;
	});
	return `{\n${lines.join("")}${indent}}`;
}

/** A name of a property as it stands in a type. */
export const toKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));
