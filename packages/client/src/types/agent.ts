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

/** Version of an agent: the graph that it had, when and by whom. */
export interface AgentVersion extends AgentVersionSummary {
	readonly graph: AgentGraph;
}

/** A list names versions without their graphs. */
export interface AgentVersionSummary {
	/** `ag_…` */
	readonly agent_id: string;
	/** Number of the version, from 1; that of the newest is the agent's `version`, and a run has it as `agent_version`. */
	readonly number: number;
	/** Name of the graph. */
	readonly name: string | null;
	/** Reason for the change, as its author wrote it. */
	readonly note: string | null;
	/** Client (`cl_…`) or person (`usr_…`) that stored it; null where the change was made before versions were kept. */
	readonly created_by: string | null;
	/** Number of the version that this one restored. */
	readonly restored_from: number | null;
	readonly created_at: string;
}

/** Request to store the graph of an earlier version again, as the newest one. */
export interface AgentRestore {
	/** Version that the agent is expected to have: 409 `agent_changed` where it has another one. Default: any. */
	readonly version?: number;
	/** Reason for it, up to 500 characters. Default: none. */
	readonly note?: string;
}

export interface AgentCreate {
	readonly graph: AgentGraph;
	/** Reason for the change, up to 500 characters; it is shown with the version. Default: none. */
	readonly note?: string;
	/** Lower-case letters, digits and single hyphens, up to 64. Default: made from the graph's name, else the id. */
	readonly slug?: string;
}

export interface AgentReplace {
	readonly graph: AgentGraph;
	/** Version that the change was made from: 409 `agent_changed` where the agent has another one. Default: any. */
	readonly version?: number;
	/** Reason for the change, up to 500 characters; it is shown with the version. Default: none. */
	readonly note?: string;
	/** Default: as it is. */
	readonly slug?: string;
	/** Members who may use it. Default: as it is. */
	readonly access?: MemberAccess;
}
