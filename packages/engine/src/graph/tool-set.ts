import type { ChatTool } from "@stemma/core";

/** What the model of a node may call or hand over to. */
export interface ToolSet {
	readonly tools: readonly ChatTool[];
	/** Of all of them, for estimates. */
	readonly characters: number;
}

/** Counted once for all turns. */
export const createToolSet = (tools: readonly ChatTool[]): ToolSet => ({
	tools,
	characters: tools.reduce((sum, tool) => sum + countCharacters(tool), 0),
});

const countCharacters = ({ name, description = "", parameters }: ChatTool): number =>
	name.length + description.length + JSON.stringify(parameters).length;
