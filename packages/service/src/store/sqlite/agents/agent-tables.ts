import type { AgentGraph } from "@stemma/core";
import type { Generated, Selectable } from "kysely";
import type { JsonColumn } from "../../json-column";

/** The graphs that a workspace keeps. Times are epoch milliseconds. */
export interface AgentTables {
	agents: {
		number: Generated<number>;
		id: string;
		slug: string;
		name: string | null;
		description: string | null;
		version: number;
		graph: JsonColumn<AgentGraph>;
		created_at: number;
		updated_at: number;
		/** Ids of the users who may use it, as JSON; null for all members. */
		access: Generated<string | null>;
	};
	agent_versions: {
		agent_id: string;
		/** Number of the version, from 1, without gaps. */
		number: number;
		name: string | null;
		note: string | null;
		/** `cl_…`, `usr_…`; null where nobody had noted it. */
		created_by: string | null;
		restored_from: number | null;
		created_at: number;
		graph: JsonColumn<AgentGraph>;
	};
}

export type AgentVersionRow = Selectable<AgentTables["agent_versions"]>;

export type AgentRow = Omit<Selectable<AgentTables["agents"]>, "number">;

export const agentTablesSql = `
	CREATE TABLE agents (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		slug TEXT NOT NULL UNIQUE,
		name TEXT,
		description TEXT,
		version INTEGER NOT NULL,
		graph TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		updated_at INTEGER NOT NULL
	);
`;

/** Versions of agents; of those of older files, the graph that they have is the one that is known. */
export const agentVersionsSql = `
	CREATE TABLE agent_versions (
		agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
		number INTEGER NOT NULL,
		name TEXT,
		note TEXT,
		created_by TEXT,
		restored_from INTEGER,
		created_at INTEGER NOT NULL,
		graph TEXT NOT NULL,
		PRIMARY KEY (agent_id, number)
	);
	INSERT INTO agent_versions (agent_id, number, name, created_at, graph)
		SELECT id, version, name, updated_at, graph FROM agents;
`;
