import { createAgents } from "../agents/agents";
import type { DocumentReader } from "../knowledge/document-reader";
import { createKnowledge } from "../knowledge/knowledge";
import { createRuns } from "../runs/runs";
import type { DatabaseThreads } from "../store/database";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import type { Workspace } from "./workspace";

export interface WorkspaceOptions {
	/** How many runs may be under way at once. */
	readonly concurrentRuns: number;
	readonly maxDocuments: number;
	/** Reads the documents of all workspaces. */
	readonly reader: DocumentReader;
	/** Something failed that no request waits for; it is tried again where that makes sense. */
	readonly onError: (error: unknown) => void;
}

/** Opens the file of a workspace, ends what a crash has cut off, and goes on with what waits to be read. */
export async function openWorkspace(
	threads: DatabaseThreads,
	file: string,
	id: string,
	{ concurrentRuns, maxDocuments, reader, onError }: WorkspaceOptions,
): Promise<Workspace> {
	const database = await threads.open<WorkspaceTables>(file, workspaceMigrations);
	const knowledge = createKnowledge({ database, reader, maxDocuments, onError });
	const runs = createRuns({ database, maxLive: concurrentRuns, onFailure: onError });
	await runs.recover();
	await knowledge.start();
	return { id, database, knowledge, runs, agents: createAgents(database) };
}

/** Lets runs end within the grace time, then closes the file. */
export async function closeWorkspace(
	{ database, knowledge, runs }: Workspace,
	graceMs: number,
): Promise<void> {
	await Promise.all([runs.stop(graceMs), knowledge.stop()]);
	await database.close();
}
