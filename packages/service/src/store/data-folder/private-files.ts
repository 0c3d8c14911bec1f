import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { StorageError, toFileError } from "../storage-error";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Bits that let a group or everybody in. */
const GROUP_AND_OTHERS_BITS = 0o077;

/** Names of the files that SQLite keeps for a database: the database itself comes first. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;

/** Windows has no such bits: the folder's access list decides there. */
const supportsFileModes = process.platform !== "win32";

/**
 * Makes a database file for its owner alone where there is none, whatever the umask; SQLite gives the files beside it the
 * same mode. A file that exists is not opened: closing it would end the locks that this process has on it.
 *
 * @param create - whether it is made. Default true: else it is only looked at.
 * @throws StorageError `storage_unsafe` for a link; `storage_unavailable` for a folder, or where it cannot be made.
 */
export function prepareDatabaseFile(file: string, create = true): void {
	const [found] = DATABASE_SUFFIXES.map((suffix) => findFile(`${file}${suffix}`));
	if (found !== undefined || !create) return;
	try {
		// Fails where anything has this name, a link too.
		closeSync(openSync(file, "wx", FILE_MODE));
	} catch (error) {
		throw toFileError(error, file);
	}
}

/**
 * Makes a folder for its owner alone where there is none.
 *
 * @throws StorageError `storage_unsafe` for a link, `storage_unavailable` where it cannot be made.
 */
export function preparePrivateFolder(folder: string): void {
	if (statNoFollow(folder)?.isSymbolicLink()) throw symbolicLinkError(folder);
	try {
		mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
	} catch (error) {
		throw toFileError(error, folder);
	}
}

/**
 * Finds a file without following links; `undefined` where there is none.
 *
 * @throws StorageError `storage_unsafe` for a link, `storage_unavailable` for a folder or anything else that is no file.
 */
export function findFile(file: string): Stats | undefined {
	const status = statNoFollow(file);
	if (status?.isSymbolicLink()) throw symbolicLinkError(file);
	if (status !== undefined && !status.isFile())
		throw new StorageError(`${file} is not a file.`, {
			code: "storage_unavailable",
			hint: "Move it away, and put the right file in its place.",
		});
	return status;
}

/**
 * True for a file that this user has made. Files of others may hold what others know.
 *
 * @throws as {@link findFile}
 */
export function isOwnFile(file: string): boolean {
	const status = findFile(file);
	return status === undefined || !supportsFileModes || status.uid === process.geteuid?.();
}

/** Files and folders that other users could access, by path. */
export interface RestrictedFiles {
	readonly restricted: readonly string[];
	/** Still open to others: they belong to another user, or their folder holds other things. */
	readonly open: readonly string[];
}

/**
 * Closes a folder and the files directly in it to all but their owner; links are left alone.
 *
 * @param isServiceFile - which names are files of the service. Other files stay as they are, and so does the folder then.
 */
export function restrictFolder(folder: string, isServiceFile: (name: string) => boolean): RestrictedFiles {
	const result = { restricted: [] as string[], open: [] as string[] };
	if (!supportsFileModes) return result;
	const names = readdirSync(folder);
	const restrict = (path: string, mode: number, isShared = false): void => {
		const status = statNoFollow(path);
		if (status === undefined || status.isSymbolicLink() || (status.mode & GROUP_AND_OTHERS_BITS) === 0)
			return;
		result[!isShared && tryToSetMode(path, status.mode & mode) ? "restricted" : "open"].push(path);
	};
	restrict(folder, FOLDER_MODE, !names.every(isServiceFile));
	for (const name of names.filter(isServiceFile)) {
		const path = join(folder, name);
		if (statNoFollow(path)?.isFile()) restrict(path, FILE_MODE);
	}
	return result;
}

function tryToSetMode(path: string, mode: number): boolean {
	try {
		chmodSync(path, mode);
		return true;
	} catch {
		return false;
	}
}

function statNoFollow(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch (error) {
		throw toFileError(error, path);
	}
}

export const symbolicLinkError = (path: string): StorageError =>
	new StorageError(`${path} is a symbolic link.`, {
		code: "storage_unsafe",
		hint: "The service writes through no link in its data folder. Find out who created the link, and replace it with the file itself. The data folder as a whole may be a link.",
	});
