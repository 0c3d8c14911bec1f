import type { ChatTool, JsonObject, JsonSchema, RunError, ToolNode } from "@stemma/core";
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
		return { node, description: checkToolDescription(await port.describe(reference, options)) };
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

/** What the model of a node is offered, tools with parameters of their own. */
export function toOffer(
	node: CompiledNode,
	tools: ReadonlyMap<string, ToolDescription>,
): readonly ChatTool[] {
	return node.tools.map((offered) => {
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

/** Fixed arguments are none of the model's business. */
function hideArguments(parameters: JsonSchema, fixed: JsonObject = {}): JsonSchema {
	const { properties, required } = parameters;
	const isOpen = (name: unknown): boolean => !Object.hasOwn(fixed, String(name));
	return {
		...parameters,
		...(isJsonObject(properties)
			? { properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOpen(name))) }
			: {}),
		...(Array.isArray(required) ? { required: required.filter(isOpen) } : {}),
	} as JsonSchema;
}
