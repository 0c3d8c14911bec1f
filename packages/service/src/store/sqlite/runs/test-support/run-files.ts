import { RunLog } from "@stemma/runs";
import { openFileDatabase } from "../../../../http/test-support/memory-database";
import type { RunRepository } from "../../../../runs/repositories/run-repository";
import { createRunRepository } from "../../../repositories/runs/run-repository";
import { toNewRun } from "../../../test-support/run-fixture";
import { type WorkspaceTables, workspaceMigrations } from "../../../workspace-tables";

/** Runs in a real file. */
export interface RunFile {
	readonly repository: RunRepository;
	readonly log: RunLog;
	createRun(id: string): Promise<void>;
	close(): Promise<void>;
}

export function openRunFile(path: string): RunFile {
	const database = openFileDatabase<WorkspaceTables>(path, workspaceMigrations);
	const repository = createRunRepository(database);
	const log = new RunLog(repository, {
		onWritten: () => undefined,
		onFailure(error) {
			throw error;
		},
	});
	return {
		repository,
		log,
		createRun: async (id) => void (await repository.insert(toNewRun(id), () => undefined)),
		close: database.close,
	};
}
