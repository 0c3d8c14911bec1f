import { type AgentGraph, ConfigurationError, type ToolNode } from "@stemma/core";
import { closestName } from "@stemma/core/internal";
import type { ToolPort } from "@stemma/engine";
import type { LocalTool, LocalTools } from "./define-tool";
import { readToolParameters, type ToolParameters } from "./tool-parameters";

/** A tool whose parameters have been looked at. */
export interface RegisteredTool {
	readonly tool: LocalTool;
	readonly parameters: ToolParameters;
}

/** @throws ConfigurationError for a tool that could not be called, or whose parameters no model could be shown. */
export function readTools(tools: LocalTools): ReadonlyMap<string, RegisteredTool> {
	return new Map(
		Object.entries(tools).map(([name, tool]) => [
			name,
			{ tool: getRunnableTool(name, tool), parameters: readToolParameters(name, tool) },
		]),
	);
}

function getRunnableTool(name: string, tool: LocalTool | undefined): LocalTool {
	if (typeof tool?.run === "function") return tool;
	throw new ConfigurationError(`The tool "${name}" has no function \`run\`.`, {
		hint: "Create it with defineTool({ description, parameters, run }).",
	});
}

/** Tools that are registered in code, as a port. */
export function codeTools(tools: ReadonlyMap<string, RegisteredTool>): ToolPort {
	function getTool(name: string): RegisteredTool {
		const found = tools.get(name);
		if (found !== undefined) return found;
		throw new ConfigurationError(`There is no tool "${name}" in \`tools\`.`);
	}

	return {
		async describe({ tool: name }) {
			const { tool, parameters } = getTool(name);
			return {
				parameters: parameters.jsonSchema,
				...(tool.description === undefined ? {} : { description: tool.description }),
				...(tool.idempotent === undefined ? {} : { idempotent: tool.idempotent }),
			};
		},
		async call({ tool: name, arguments: rawArguments, runId, node }, { signal }) {
			const { tool, parameters } = getTool(name);
			const args = await parameters.read(rawArguments);
			// The schema gave what the tool takes; `defineTool` knows its type.
			return (await tool.run(args as Parameters<LocalTool["run"]>[0], { signal, runId, node })) ?? null;
		},
	};
}

/** @throws ConfigurationError naming every tool that the graph calls and nobody has registered. */
export function assertToolsRegistered(
	{ nodes }: AgentGraph,
	tools: ReadonlyMap<string, RegisteredTool>,
): void {
	const missing = nodes.filter(
		(node): node is ToolNode => node.kind === "tool" && node.server === undefined && !tools.has(node.tool),
	);
	if (missing.length === 0) return;
	const names = [...tools.keys()];
	throw new ConfigurationError(
		`The graph calls tools that are not registered: ${missing.map((node) => describe(node, names)).join("; ")}.`,
		{
			code: "tool_not_registered",
			hint: "Run the graph in code, with `createLocalAgent(graph, { tools })`, and register them there by these names.",
		},
	);
}

function describe({ id, tool }: ToolNode, names: readonly string[]): string {
	const close = closestName(tool, names);
	return `"${tool}" (the node "${id}"${close === undefined ? "" : `; did you mean "${close}"?`})`;
}
