import type { AgentGraph } from "@stemma/core";
import type { Generated, Selectable } from "kysely";
import type { JsonColumn } from "../json-column";

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
}

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
