import type { RuntimeAgent, RuntimeAgentIssue } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";

/** Content of a valid agent file. */
export type AgentDefinition =
	| { readonly form: "graph"; readonly graph: AgentGraph }
	| { readonly form: "manifest"; readonly remoteAgentId: string };

/** An agent file, read. */
export interface ParsedAgentFile
	extends Pick<RuntimeAgent, "file" | "id" | "form" | "name" | "description" | "version"> {
	/** Definition of the agent; undefined if there are issues. */
	readonly definition?: AgentDefinition;
	readonly issues: readonly RuntimeAgentIssue[];
	readonly warnings: readonly RuntimeAgentIssue[];
}

/** Pattern of an agent's id. */
export const AGENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
