import type { Caller } from "../auth/caller";
import type { Tool } from "./tool";
import { askTool } from "./tools/ask";
import { fetchTool } from "./tools/fetch";
import { listDocumentsTool } from "./tools/list-documents";
import { listKnowledgeBasesTool } from "./tools/list-knowledge-bases";
import { searchTool } from "./tools/search";

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
	searchTool,
	fetchTool,
	askTool,
	listKnowledgeBasesTool,
	listDocumentsTool,
];

/** Checks whether a caller may use a tool; if not, the caller does not see it. */
export const canUse = ({ scopes }: Caller, tool: Tool): boolean =>
	tool.scopes.some((scope) => scopes.includes(scope));
