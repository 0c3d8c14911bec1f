import type { ChatTool } from "@stemma/core";

/** Tools that the model of a node may call, handoffs included. */
export interface ToolSet {
	readonly tools: readonly ChatTool[];
	/** Characters of all tools, for estimates. */
	readonly characters: number;
}

/** Counted once for all turns. */
export const createToolSet = (tools: readonly ChatTool[]): ToolSet => ({
	tools,
	characters: tools.reduce((sum, tool) => sum + countCharacters(tool), 0),
});

const countCharacters = ({ name, description = "", parameters }: ChatTool): number =>
	name.length + description.length + JSON.stringify(parameters).length;
