import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "@stemma/core/errors";

/** Keeps a second service out of a data folder; the operating system lets go of it when the process dies, however it dies. */
export interface DataFolderLock {
	release(): void;
}

/** @throws ConfigurationError when another process serves this folder. */
export function lockDataFolder(folder: string): DataFolderLock {
	const database = new DatabaseSync(join(folder, "lock.sqlite"), { timeout: 0 });
	try {
		database.exec("BEGIN EXCLUSIVE");
	} catch (error) {
		database.close();
		if (!isBusy(error)) throw error;
		throw new ConfigurationError(`The data folder "${folder}" is in use by another service.`, {
			code: "data_folder_in_use",
			hint: "Stop that service, or give this one a data folder of its own with --data.",
		});
	}
	return { release: () => database.close() };
}

const BUSY = 5;

const isBusy = (error: unknown): boolean =>
	error instanceof Error && "errcode" in error && error.errcode === BUSY;
