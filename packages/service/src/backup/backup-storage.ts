import { ArchiveError } from "../archives/archive-error";

/** Path of the dump in the backup of a Postgres database. */
export const DUMP_PATH = "database.dump";

const DATA_FOLDER_PATH = /^(?:deployment|workspaces\/ws_[0-9a-z]{26})\.sqlite$/;

/**
 * Tells whether a path may be in the backup of a data folder.
 *
 * @throws ArchiveError `archive_other_storage` for that of a database.
 */
export function isDataFolderPath(file: string, path: string): boolean {
	if (path !== DUMP_PATH) return DATA_FOLDER_PATH.test(path);
	throw new ArchiveError(`The archive ${file} is a backup of a Postgres database, not of a data folder.`, {
		code: "archive_other_storage",
		hint: "Leave out --into, and name an empty database in database.url and database.owner_url. Nothing was changed.",
	});
}

/**
 * Tells whether a path may be in the backup of a database.
 *
 * @throws ArchiveError `archive_other_storage` for that of a data folder.
 */
export function isDatabasePath(file: string, path: string): boolean {
	if (!DATA_FOLDER_PATH.test(path)) return path === DUMP_PATH;
	throw new ArchiveError(`The archive ${file} is a backup of a data folder, not of a Postgres database.`, {
		code: "archive_other_storage",
		hint: "Restore it with --into <folder>. `stemma export` and `stemma import` move its workspaces to a database. Nothing was changed.",
	});
}
