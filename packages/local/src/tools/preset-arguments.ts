import {
	type AgentGraph,
	ConfigurationError,
	type Json,
	type JsonObject,
	type JsonSchema,
	type ToolNode,
} from "@stemma/core";
import { closestName, isJsonObject, quote } from "@stemma/core/internal";
import type { ToolPort } from "@stemma/engine";
import { createStepBudget } from "../schema/budget";
import { compilePattern } from "../schema/compile-pattern";
import { matchesPattern } from "../schema/match-pattern";
import { toUnicodePattern } from "../schema/unicode-pattern";
import { compileSchema } from "../schema/validate-schema";

/**
 * Looks at what the nodes of a graph fix: by a name that its tool does not have nothing is fixed, and the model may choose.
 *
 * @param schemas - what models are shown of each tool, by its name; nodes whose tool is not among them are passed over.
 * @throws ConfigurationError with every argument that does not fit.
 */
export function validatePresetArguments(
	{ nodes }: AgentGraph,
	schemas: ReadonlyMap<string, JsonSchema>,
): void {
	assertNoProblems(
		nodes.flatMap((node) => {
			if (node.kind !== "tool" || node.server !== undefined) return [];
			const schema = schemas.get(node.tool);
			return schema === undefined ? [] : findArgumentProblems(node, schema);
		}),
		"Correct `arguments` of the node, or add to `parameters` of the tool what it accepts.",
	);
}

/** Wraps a port so that it checks the fixed arguments of server tools as soon as `describe` returns their schema. */
export function withPresetArgumentValidation({ nodes }: AgentGraph, port: ToolPort): ToolPort {
	const byId = new Map(nodes.flatMap((node) => (node.kind === "tool" ? [[node.id, node] as const] : [])));
	return {
		async describe(reference, options) {
			const description = await port.describe(reference, options);
			const node = byId.get(reference.node);
			if (node?.server !== undefined) {
				const schema = description?.parameters;
				assertNoProblems(
					findNameProblems(node, schema, () => true),
					describeToolArguments(schema),
				);
			}
			return description;
		},
		call: (request, options) => port.call(request, options),
	};
}

const MAX_LISTED_NAMES = 20;

/** The tool of a server is as it is. */
function describeToolArguments(schema: JsonSchema): string {
	const names = [...new Set(listNames(listSubschemas(schema)))];
	if (names.length === 0) return "Take them out of `arguments` of the node: the tool declares no arguments.";
	const shown = names.slice(0, MAX_LISTED_NAMES).map(quote).join(", ");
	const rest = names.length - MAX_LISTED_NAMES;
	return `Look at the tool's own arguments: ${shown}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

function assertNoProblems(problems: readonly string[], hint: string): void {
	if (problems.length === 0) return;
	throw new ConfigurationError(
		`The graph fixes arguments that do not fit the parameters of its tools: ${problems.join("; ")}.`,
		{
			code: "preset_arguments_invalid",
			hint,
		},
	);
}

function findArgumentProblems(node: ToolNode, schema: JsonSchema): string[] {
	const problems = findNameProblems(node, schema, matches);
	return problems.length > 0 ? problems : findValueProblems(node, schema);
}

const describeNode = ({ id, tool }: ToolNode): string => `the node "${id}", the tool "${tool}"`;

const findValueProblems = (node: ToolNode, schema: JsonSchema): string[] =>
	checkValues(node.arguments ?? {}, schema).map(
		(error) => `${error.replace(/\.$/, "")} (${describeNode(node)})`,
	);

/** @param isMatch - whether a pattern of the schema holds; one of somebody else may take for ever to tell. */
function findNameProblems(
	node: ToolNode,
	schema: JsonSchema,
	isMatch: (pattern: string, name: string) => boolean,
): string[] {
	const names = Object.keys(node.arguments ?? {});
	if (names.length === 0) return [];
	const location = describeNode(node);
	const parts = listSubschemas(schema);
	if (parts.some((part) => "$ref" in part || "$dynamicRef" in part))
		return [
			`what a \`$ref\` at the top names cannot be kept from models, so write it out in its place (${location})`,
		];
	return listUnknown(names, parts, isMatch).map((name) => {
		const close = closestName(name, listNames(parts));
		return `there is no "${name}" (${location}${close === undefined ? "" : `; did you mean "${close}"?`})`;
	});
}

const COMBINING = ["allOf", "anyOf", "oneOf"];
const CONDITIONAL = ["if", "then", "else"];

/** The schema and those that speak of the same object. */
function listSubschemas(schema: Json | undefined): JsonSchema[] {
	if (!isJsonObject(schema)) return [];
	const listed = COMBINING.flatMap((keyword) => schema[keyword] ?? []);
	const others = [...listed, ...CONDITIONAL.map((keyword) => schema[keyword])];
	const named = isJsonObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : [];
	return [schema, ...[...others, ...named].flatMap(listSubschemas)];
}

const namesOf = (value: Json | undefined): string[] => (isJsonObject(value) ? Object.keys(value) : []);

const listNames = (parts: readonly JsonSchema[]): string[] =>
	parts.flatMap(({ properties, required }) => [
		...namesOf(properties),
		...(Array.isArray(required) ? required.map(String) : []),
	]);

function listUnknown(
	names: readonly string[],
	parts: readonly JsonSchema[],
	isMatch: (pattern: string, name: string) => boolean,
): readonly string[] {
	const known = new Set(listNames(parts));
	const patterns = parts.flatMap(({ patternProperties }) => namesOf(patternProperties));
	const isClosed = parts.some(({ additionalProperties }) => additionalProperties === false);
	const isOpen =
		(known.size === 0 && patterns.length === 0) ||
		parts.some(
			({ additionalProperties = false, unevaluatedProperties = false }) =>
				additionalProperties !== false || unevaluatedProperties !== false,
		);
	if (isOpen && !isClosed) return [];
	return names.filter((name) => !known.has(name) && !patterns.some((pattern) => isMatch(pattern, name)));
}

function matches(pattern: string, name: string): boolean {
	const budget = createStepBudget();
	try {
		return matchesPattern(compilePattern(toUnicodePattern(pattern), budget), name, budget);
	} catch {
		return false;
	}
}

/** The rest of the arguments comes later, from a model. */
function checkValues(presetArguments: JsonObject, schema: JsonSchema): readonly string[] {
	try {
		const result = compileSchema(toPartial(schema), "It may not be there.")(presetArguments);
		return result.valid ? [] : result.errors;
	} catch {
		// A schema that is only shown need not be one that we can use.
		return [];
	}
}

const PARTIAL_KEYWORDS = ["$defs", "definitions", "properties", "patternProperties", "additionalProperties"];

/** Returns the parts of a schema that concern each argument alone, without the rules for all of them together. */
function toPartial(schema: JsonSchema): JsonSchema {
	const keptKeywords = Object.entries(schema).filter(([keyword]) => PARTIAL_KEYWORDS.includes(keyword));
	const { allOf } = schema;
	const list: readonly Json[] = Array.isArray(allOf) ? allOf : [];
	const parts = list.flatMap((part) => (isJsonObject(part) ? [toPartial(part)] : []));
	return { ...Object.fromEntries(keptKeywords), ...(parts.length === 0 ? {} : { allOf: parts }) };
}
