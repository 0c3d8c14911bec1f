import { RunLog, type RunStore } from "@stemma/runs";
import { openFileDatabase } from "../../../http/test-support/memory-database";
import type { Database } from "../../../store/database";
import { type WorkspaceTables, workspaceMigrations } from "../../../store/workspace-tables";
import { createSqliteRunStore } from "../sqlite-run-store";

/** Store of runs in a real file. */
export interface RunFile {
	readonly database: Database<WorkspaceTables>;
	readonly store: RunStore;
	readonly log: RunLog;
	createRun(id: string): Promise<void>;
}

export function openRunFile(path: string): RunFile {
	const database = openFileDatabase<WorkspaceTables>(path, workspaceMigrations);
	const store = createSqliteRunStore(database);
	const log = new RunLog(store, {
		onWritten: () => undefined,
		onFailure(error) {
			throw error;
		},
	});
	async function createRun(id: string): Promise<void> {
		const agent = { agent_id: "ag_1", agent_slug: "desk", agent_version: 1 };
		const run = { ...agent, id, status: "running", background: 1, started_by: "cl_1", last_seq: 0 } as const;
		await database.write
			.insertInto("runs")
			.values({ ...run, created_at: 1, ended_at: null, within: null })
			.execute();
	}
	return { database, store, log, createRun };
}
