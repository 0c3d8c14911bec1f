import type { AgentGraph } from "@stemma/core";
import type { LimitedAccess, MemberAccess } from "./people/people";

/** A graph that the service keeps. */
export interface StoredAgent {
	/** `ag_…` */
	readonly id: string;
	/** Unique in its workspace; goes wherever the id goes. */
	readonly slug: string;
	readonly name: string | null;
	readonly description: string | null;
	/** Version of the agent, from 1; grows with each change of the graph. */
	readonly version: number;
	/** Members who may use it; left out where all may. */
	readonly access?: LimitedAccess;
	readonly graph: AgentGraph;
	readonly created_at: string;
	readonly updated_at: string;
}

/** A list names agents without their graphs. */
export type StoredAgentSummary = Omit<StoredAgent, "graph">;

export interface AgentCreate {
	readonly graph: AgentGraph;
	/** Lower-case letters, digits and single hyphens, up to 64. Default: made from the graph's name, else the id. */
	readonly slug?: string;
}

export interface AgentReplace {
	readonly graph: AgentGraph;
	/** Version that the change was made from: 409 `agent_changed` where the agent has another one. Default: any. */
	readonly version?: number;
	/** Default: as it is. */
	readonly slug?: string;
	/** Members who may use it. Default: as it is. */
	readonly access?: MemberAccess;
}
