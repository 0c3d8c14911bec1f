import type { JsonObject } from "@stemma/core";
import type { McpTool } from "../wire";

/** An argument that goes out as a header, too. */
interface ParamHeader {
	readonly name: string;
	/** Names of properties that lead to the argument, from the top level down. */
	readonly path: readonly string[];
}

export type ToHeaderValue = (text: string) => Promise<string>;

const ANNOTATION = "x-mcp-header";
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];
const MAX_HEADER_SCHEMA_DEPTH = 64;
/** Keywords of a schema whose values are schemas; the values of other keywords are data. */
const SCHEMAS =
	/^(items|prefixItems|contains|additionalProperties|unevaluatedProperties|unevaluatedItems|propertyNames|oneOf|anyOf|allOf|not|if|then|else|contentSchema)$/;
const NAMED_SCHEMAS = /^(properties|patternProperties|dependentSchemas|\$defs|definitions)$/;

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

/**
 * The arguments that a tool wants as headers, by the annotations of its input schema (2026-07-28, "Schema Extension");
 * `undefined` for annotations that are not valid: such a tool is none. This file imports nothing at run time.
 */
export function readParamHeaders({
	inputSchema,
}: Pick<McpTool, "inputSchema">): readonly ParamHeader[] | undefined {
	const found: ParamHeader[] = [];

	/** @param path - of the argument; `undefined` where it can be no argument. */
	function isValid(schema: unknown, path: readonly string[] | undefined, depth: number): boolean {
		if (depth > MAX_HEADER_SCHEMA_DEPTH) return false;
		if (!isObject(schema)) return true;
		if (Array.isArray(schema)) return schema.every((one) => isValid(one, undefined, depth + 1));
		if (ANNOTATION in schema && !addHeader(schema, path)) return false;
		return Object.entries(schema).every(([keyword, value]) => {
			if (!NAMED_SCHEMAS.test(keyword)) return !SCHEMAS.test(keyword) || isValid(value, undefined, depth + 1);
			const isReached = keyword === "properties" && path !== undefined;
			return (
				!isObject(value) ||
				Object.entries(value).every(([name, one]) =>
					isValid(one, isReached ? [...path, name] : undefined, depth + 1),
				)
			);
		});
	}

	function addHeader({ [ANNOTATION]: name, type }: JsonObject, path: readonly string[] = []): boolean {
		if (typeof name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return false;
		if (path.length === 0 || !TYPES.includes(type)) return false;
		if (found.some((other) => other.name.toLowerCase() === name.toLowerCase())) return false;
		found.push({ name, path });
		return true;
	}

	return isValid(inputSchema, [], 0) ? found : undefined;
}

/** Returns the headers of a call; arguments that are missing, `null` or no plain value send none. */
export async function toParamHeaders(
	headers: readonly ParamHeader[],
	args: object,
	toHeaderValue: ToHeaderValue,
): Promise<Readonly<Record<string, string>>> {
	const values: Record<string, string> = {};
	for (const { name, path } of headers) {
		let value: unknown = args;
		for (const key of path)
			value = isObject(value) && Object.keys(value).includes(key) ? value[key] : undefined;
		const isPlain = typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
		if (isPlain) values[`mcp-param-${name}`] = await toHeaderValue(String(value));
	}
	return values;
}
