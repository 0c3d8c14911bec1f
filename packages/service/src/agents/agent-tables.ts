import type { AgentGraph } from "@stemma/core";
import type { Generated } from "kysely";
import type { JsonColumn } from "../store/json-column";

/** The graphs that a workspace keeps. Times are epoch milliseconds. */
export interface AgentTables {
	agents: {
		number: Generated<number>;
		id: string;
		slug: string;
		name: string | null;
		description: string | null;
		version: number;
		/** JSON. */
		graph: JsonColumn<AgentGraph>;
		created_at: number;
		updated_at: number;
	};
}

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
