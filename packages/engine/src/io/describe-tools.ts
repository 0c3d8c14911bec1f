import type { ChatTool, Json, JsonObject, JsonSchema, RunError, ToolNode } from "@stemma/core";
import { isCopyOf, isJsonObject, visibleText } from "@stemma/core/internal";
import type { CompiledGraph, CompiledNode } from "../graph/compiled-graph";
import { createToolSet, type ToolSet } from "../graph/tool-set";
import type { ByIndex, DescribedTool } from "../run/command";
import { joinNodeErrors, type NodeError } from "../run/prepare-run";
import { checkToolDescription } from "./port-results";
import type { PortCallOptions, ToolDescription, ToolPort, ToolReference } from "./ports";
import { shortenError } from "./shorten-error";
import { toRunError } from "./to-run-error";

/** Tools of a graph as its last run found them. Most describe themselves as before, and are neither copied nor counted again. */
interface DescribedTools {
	readonly tools: ByIndex<ToolDescription>;
	readonly toolSets: ByIndex<ToolSet>;
}

const lastDescribed = new WeakMap<CompiledGraph, DescribedTools>();

/**
 * Describes the tool behind each tool node, or returns one error that lists every failure. A failure does not end a
 * resumed
 * run: it may never call that tool.
 */
export async function describeTools(
	graph: CompiledGraph,
	port: ToolPort,
	{ isResumed, ...options }: PortCallOptions & { readonly isResumed: boolean },
): Promise<ByIndex<DescribedTool> | RunError> {
	const { toolNodes } = graph;
	const last = lastDescribed.get(graph)?.tools;
	const pending = toolNodes.map((node) => describeTool(node, port, options, last?.[node.index]));
	const tools: DescribedTool[] = [];
	const errors: NodeError[] = [];
	for (const [position, { id, index }] of toolNodes.entries()) {
		// None of them rejects.
		const outcome = await pending[position];
		if (outcome === undefined) continue;
		if (!("error" in outcome)) tools[index] = outcome.description;
		else if (isResumed) tools[index] = { parameters: ANY_ARGUMENTS, error: shortenError(outcome.error) };
		else errors.push({ node: id, error: outcome.error });
	}
	return errors.length === 0 ? tools : joinNodeErrors(errors, "tool");
}

const ANY_ARGUMENTS: JsonSchema = { type: "object" };

async function describeTool(
	{ definition }: CompiledNode,
	port: ToolPort,
	options: PortCallOptions,
	last: ToolDescription | undefined,
): Promise<{ readonly description: ToolDescription } | { readonly error: RunError }> {
	try {
		if (definition.kind !== "tool") throw new TypeError(`"${definition.id}" is not a tool.`);
		const reference = toToolReference(definition);
		const description = await port.describe(reference, options);
		if (last !== undefined && isCopyOf(last, description)) return { description: last };
		return { description: checkToolDescription(description, reference.tool) };
	} catch (error) {
		return { error: toRunError(error, "tool_refused") };
	}
}

const toToolReference = ({ id, tool, server, auth }: ToolNode): ToolReference => ({
	node: id,
	tool,
	...(server === undefined ? {} : { server }),
	...(auth === undefined ? {} : { secret: auth.secret }),
});

/** Builds the tool sets of the nodes that may call tools, including the parameters of the tools. */
export function describeToolSets(graph: CompiledGraph, tools: ByIndex<ToolDescription>): ByIndex<ToolSet> {
	const last = lastDescribed.get(graph);
	if (last !== undefined && graph.toolNodes.every(({ index }) => last.tools[index] === tools[index]))
		return last.toolSets;
	const toolSets: ToolSet[] = [];
	for (const node of graph.toolCallers) toolSets[node.index] = createToolSet(listTools(node, tools));
	lastDescribed.set(graph, { tools, toolSets });
	return toolSets;
}

function listTools(node: CompiledNode, tools: ByIndex<ToolDescription>): readonly ChatTool[] {
	return node.toolSet.tools.map((tool) => {
		const callee = node.callees.get(tool.name)?.node;
		const described = callee && tools[callee.index];
		if (callee?.definition.kind !== "tool" || described === undefined) return tool;
		const { definition } = callee;
		const { description = described.description } = definition;
		return {
			...tool,
			...(description === undefined ? {} : { description: visibleText(description) }),
			parameters: sanitizeDescriptions(omitPresetArguments(described.parameters, definition.arguments)),
		};
	});
}

/** A schema whose descriptions hide nothing from people who read along. Names and values stay exact, as calls need them. */
const sanitizeDescriptions = (schema: JsonSchema): JsonSchema =>
	Object.fromEntries(
		Object.entries(schema).map(([keyword, value]) => [keyword, sanitizeKeyword(keyword, value)]),
	);

function sanitizeKeyword(keyword: string, value: Json): Json {
	if (typeof value === "string") return IS_PROSE.test(keyword) ? visibleText(value) : value;
	if (Array.isArray(value)) return value.map((part: Json) => sanitizeKeyword("", part));
	return isJsonObject(value) ? sanitizeDescriptions(value) : value;
}

const IS_PROSE = /^(?:title|description|\$comment)$/;

/**
 * Fixed arguments are none of the model's business, wherever in the schema they are named. Taking away what else names
 * them only widens what the model is shown: the tool checks what it is given.
 */
function omitPresetArguments(parameters: JsonSchema, preset: JsonObject = {}): JsonSchema {
	const hidden = Object.keys(preset);
	return hidden.length === 0 ? parameters : omitNames(parameters, hidden);
}

function omitNames(schema: JsonSchema, hidden: readonly string[]): JsonSchema {
	const shown: Record<string, Json> = {};
	for (const [keyword, value] of Object.entries(schema)) {
		const kept = omitFromKeyword(keyword, value, hidden);
		if (kept !== undefined) shown[keyword] = kept;
	}
	return shown;
}

/** Keywords whose schemas describe a part of the arguments, not the object itself. */
const NESTED_SCHEMAS = new Set(["$defs", "definitions"]);

function omitFromKeyword(keyword: string, value: Json, hidden: readonly string[]): Json | undefined {
	const isOpen = (name: unknown): boolean => !hidden.includes(String(name));
	if (keyword === "properties" && isJsonObject(value))
		return Object.fromEntries(Object.entries(value).filter(([name]) => isOpen(name)));
	if (keyword === "required" && Array.isArray(value)) return value.filter(isOpen);
	if (keyword === "allOf" || keyword === "anyOf" || keyword === "oneOf")
		// What JSON has as an object is a schema here.
		return Array.isArray(value)
			? value.map((part: Json) => (isJsonObject(part) ? omitNames(part, hidden) : part))
			: value;
	if (NESTED_SCHEMAS.has(keyword) || typeof value !== "object" || value === null) return value;
	const text = JSON.stringify(value);
	return hidden.some((name) => text.includes(JSON.stringify(name))) ? undefined : value;
}
