import { lstatSync, statSync } from "node:fs";
import { findFile } from "../store/data-folder/private-files";
import { readVersion } from "../store/migrate";
import { listDamage, openForChecking, type SqliteFile, toThreadFailure } from "../store/sqlite-file";
import { StorageError, toStorageError } from "../store/storage-error";

/** Options of checking whether a database of a data folder is intact, and how thoroughly. */
export interface FileCheck {
	/** Path. */
	readonly file: string;
	/** Number of the newest version of its tables that this Stemma knows. */
	readonly version: number;
	/** Looks at the structure alone, not at whether indexes and tables say the same. */
	readonly isQuick: boolean;
	/** A service may have it open. */
	readonly isServed: boolean;
	/** Looks whether a service has started since. */
	readonly isServedNow: () => boolean;
	/** Looks further, when the file is sound. @throws StorageError */
	readonly onSound?: (file: SqliteFile) => Promise<void>;
}

/**
 * Finds what is wrong with a database file; `undefined` where it is intact. Changes nothing. A file that no service
 * uses is read as one that has no writer. If a service has started meanwhile, the problem found may come from its
 * writes, and the file is checked again.
 */
export async function findFileProblem(check: FileCheck): Promise<StorageError | undefined> {
	const isImmutable = !check.isServed && !hasWal(check.file);
	const problem = await findProblem(check, isImmutable);
	const mayHaveChanged = isImmutable && problem !== undefined && (check.isServedNow() || hasWal(check.file));
	return mayHaveChanged ? findProblem(check, false) : problem;
}

const hasWal = (file: string): boolean => Boolean(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size);

async function findProblem(check: FileCheck, isImmutable: boolean): Promise<StorageError | undefined> {
	const { file, version, isQuick } = check;
	try {
		if (!findFile(file)?.size) throw missingFileError(file);
		const opened = openForChecking(file, isImmutable);
		try {
			assertVersion(opened, file, version);
			assertIntegrity(opened, file, isQuick);
			await check.onSound?.(opened);
		} finally {
			opened.close();
		}
		return undefined;
	} catch (error) {
		return error instanceof StorageError ? error : toStorageProblem(error, file);
	}
}

/** Bytes of a file with its log; 0 where it is missing. */
export const readFileSize = (file: string): number =>
	[file, `${file}-wal`].reduce((sum, path) => {
		const status = lstatSync(path, { throwIfNoEntry: false });
		return sum + (status?.isFile() ? status.size : 0);
	}, 0);

function assertVersion(opened: SqliteFile, file: string, version: number): void {
	const found = readVersion(opened.database);
	if (found === 0) throw missingFileError(file);
	if (found <= version) return;
	throw new StorageError(
		`A later version of Stemma wrote the file ${file} (file version ${found}; this Stemma supports up to ${version}).`,
		{
			code: "storage_version",
			hint: "Start the later version of Stemma, or restore the file from a backup of this version.",
		},
	);
}

const MAX_FINDINGS = 5;

function assertIntegrity(opened: SqliteFile, file: string, isQuick: boolean): void {
	const findings = listDamage(opened, isQuick, MAX_FINDINGS);
	if (findings.length > 0) throw corruptFileError(file, findings.join("; "));
}

/** Errors of SQLite by their code; any other is damage, too: the file does not hold what it should. */
function toStorageProblem(error: unknown, file: string): StorageError {
	const known = toStorageError(toThreadFailure(error), file);
	return known instanceof StorageError ? known : corruptFileError(file, known.message);
}

const corruptFileError = (file: string, finding: string): StorageError =>
	new StorageError(`The file ${file} is damaged: ${finding}.`, {
		code: "storage_corrupt",
		hint: "Stop the service and restore the file from a backup; remove the -wal and -shm files beside it.",
	});

const missingFileError = (file: string): StorageError =>
	new StorageError(`The file ${file} is missing or empty.`, {
		code: "storage_missing",
		hint: "Stop the service and restore the file from a backup; remove the -wal and -shm files beside it.",
	});
