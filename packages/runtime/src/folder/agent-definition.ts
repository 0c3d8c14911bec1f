import type { RuntimeAgent, RuntimeAgentIssue } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";

/** What a valid agent file says. */
export type AgentDefinition =
	| { readonly form: "graph"; readonly graph: AgentGraph }
	| { readonly form: "manifest"; readonly remoteAgentId: string };

/** An agent file, read. */
export interface ParsedAgentFile
	extends Pick<RuntimeAgent, "file" | "id" | "form" | "name" | "description" | "version"> {
	/** None where there are issues. */
	readonly definition?: AgentDefinition;
	readonly issues: readonly RuntimeAgentIssue[];
	readonly warnings: readonly RuntimeAgentIssue[];
}

/** What an agent may be called. */
export const AGENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
