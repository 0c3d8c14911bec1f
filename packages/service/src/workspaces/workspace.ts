import type { Agents } from "../agents/agents";
import type { Knowledge } from "../knowledge/knowledge";
import type { Runs } from "../runs/runs";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";

/** What one tenant has: a file of its own, so that nothing of it can be reached from another. */
export interface Workspace {
	/** `ws_…` */
	readonly id: string;
	readonly database: Database<WorkspaceTables>;
	readonly knowledge: Knowledge;
	readonly agents: Agents;
	readonly runs: Runs;
}
