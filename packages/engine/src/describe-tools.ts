import type { ChatTool, Json, JsonObject, JsonSchema, RunError, ToolNode } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CompiledGraph, CompiledNode } from "./compiled-graph";
import { checkToolDescription } from "./port-results";
import type { PortCallOptions, ToolDescription, ToolPort, ToolReference } from "./ports";
import { joinRefusals, type Refusal } from "./prepare-run";
import { toRunError } from "./to-run-error";

/** What stands behind each tool node, by node id; or one error with every refusal. */
export async function describeTools(
	{ reachable }: CompiledGraph,
	port: ToolPort,
	options: PortCallOptions,
): Promise<Map<string, ToolDescription> | RunError> {
	const outcomes = await Promise.all(
		reachable.flatMap(({ definition }) =>
			definition.kind === "tool" ? [describeTool(toToolReference(definition), port, options)] : [],
		),
	);
	const tools = new Map<string, ToolDescription>();
	const refusals: Refusal[] = [];
	for (const outcome of outcomes)
		if ("error" in outcome) refusals.push(outcome);
		else tools.set(outcome.node, outcome.description);
	return refusals.length === 0 ? tools : joinRefusals(refusals, "tool");
}

async function describeTool(
	reference: ToolReference,
	port: ToolPort,
	options: PortCallOptions,
): Promise<{ readonly node: string; readonly description: ToolDescription } | Refusal> {
	const { node } = reference;
	try {
		return {
			node,
			description: checkToolDescription(await port.describe(reference, options), reference.tool),
		};
	} catch (error) {
		return { node, error: toRunError(error, "tool_refused") };
	}
}

export const toToolReference = ({ id, tool, server, auth }: ToolNode): ToolReference => ({
	node: id,
	tool,
	...(server === undefined ? {} : { server }),
	...(auth === undefined ? {} : { secret: auth.secret }),
});

/** Some of what the node may call is a tool, and takes what that tool takes. */
export function reachesTools({ callees }: CompiledNode): boolean {
	for (const { node } of callees.values()) if (node.definition.kind === "tool") return true;
	return false;
}

/** What the model of a node is offered, tools with parameters of their own. */
export function listTools(
	node: CompiledNode,
	tools: ReadonlyMap<string, ToolDescription>,
): readonly ChatTool[] {
	return node.offer.tools.map((offered) => {
		const definition = node.callees.get(offered.name)?.node.definition;
		const described = tools.get(offered.name);
		if (definition?.kind !== "tool" || described === undefined) return offered;
		const { description = described.description } = definition;
		return {
			...offered,
			...(description === undefined ? {} : { description }),
			parameters: hideArguments(described.parameters, definition.arguments),
		};
	});
}

/**
 * Fixed arguments are none of the model's business, wherever in the schema they are named. Taking away what else names
 * them only widens what the model is shown: the tool checks what it is given.
 */
function hideArguments(parameters: JsonSchema, fixed: JsonObject = {}): JsonSchema {
	const hidden = Object.keys(fixed);
	return hidden.length === 0 ? parameters : hideNames(parameters, hidden);
}

function hideNames(schema: JsonSchema, hidden: readonly string[]): JsonSchema {
	const shown: Record<string, Json> = {};
	for (const [keyword, value] of Object.entries(schema)) {
		const kept = hideIn(keyword, value, hidden);
		if (kept !== undefined) shown[keyword] = kept;
	}
	return shown;
}

/** What these say is of a part of the arguments, not of the object itself. */
const OF_PARTS = new Set(["$defs", "definitions"]);

function hideIn(keyword: string, value: Json, hidden: readonly string[]): Json | undefined {
	const isOpen = (name: unknown): boolean => !hidden.includes(String(name));
	if (keyword === "properties" && isJsonObject(value))
		return Object.fromEntries(Object.entries(value as JsonSchema).filter(([name]) => isOpen(name)));
	if (keyword === "required" && Array.isArray(value)) return value.filter(isOpen);
	if (keyword === "allOf" || keyword === "anyOf" || keyword === "oneOf")
		// What JSON has as an object is a schema here.
		return Array.isArray(value)
			? value.map((part: Json) => (isJsonObject(part) ? hideNames(part as JsonSchema, hidden) : part))
			: value;
	if (OF_PARTS.has(keyword) || typeof value !== "object" || value === null) return value;
	const text = JSON.stringify(value);
	return hidden.some((name) => text.includes(JSON.stringify(name))) ? undefined : value;
}
