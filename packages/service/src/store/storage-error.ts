import { StemmaError } from "@stemma/core/errors";

const BUSY = 5;
const LOCKED = 6;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const INPUT_OUTPUT = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

/** An error of the other thread, by its parts: classes do not survive the way. */
export interface ThreadFailure {
	readonly message: string;
	/** SQLite's primary result code (sqlite.org/rescode.html); 0 where the error is not SQLite's. */
	readonly sqliteCode: number;
	readonly stack?: string;
	/** Code and hint of an error that Stemma itself threw. */
	readonly details?: { readonly code: string; readonly hint: string };
}

/**
 * The disk, not the request, is at fault. Codes: `storage_full`, `storage_unavailable`, `storage_corrupt`,
 * `storage_missing`, `storage_version`, `storage_unsafe` (a link, or a file of somebody else), `storage_mismatch` (the
 * file of another workspace).
 */
export class StorageError extends StemmaError {}

/** A statement broke a rule of its table, such as a name that must be unique. */
export class ConstraintError extends Error {}

/** Converts an error of a database thread to an error of this thread. */
export function toStorageError({ message, sqliteCode, stack, details }: ThreadFailure, file?: string): Error {
	const name = file === undefined ? "A file of the data folder" : `The file ${file}`;
	if (details !== undefined) return new StorageError(`${name} cannot be used: ${message}.`, details);
	if (sqliteCode === FULL) return diskFullError();
	if (sqliteCode === READ_ONLY || sqliteCode === CANNOT_OPEN || sqliteCode === INPUT_OUTPUT)
		return dataFolderUnusableError(message);
	if (sqliteCode === BUSY || sqliteCode === LOCKED || sqliteCode === NO_MEMORY)
		return new StorageError(`${name} cannot be used now: ${message}.`, {
			code: "storage_unavailable",
			hint: "Nothing was lost. Another process has it locked, such as a backup, or memory is short: try again.",
		});
	if (sqliteCode === CORRUPT || sqliteCode === NOT_A_DATABASE)
		return new StorageError(`${name} is damaged: ${message}.`, {
			code: "storage_corrupt",
			hint: "Stop the service and restore the data folder from a backup.",
		});
	const error = sqliteCode === CONSTRAINT ? new ConstraintError(message) : new Error(message);
	if (stack !== undefined) error.stack = stack;
	return error;
}

/** Error of an operation on a file of the data folder, such as opening or making it. */
export function toFileError(error: unknown, file: string): StorageError {
	const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
	if (code === "ENOSPC" || code === "EDQUOT") return diskFullError();
	return dataFolderUnusableError(`the system says ${code} for ${file}`, error);
}

const diskFullError = (): StorageError =>
	new StorageError("The disk that holds the data folder is full.", {
		code: "storage_full",
		hint: "Nothing was lost. Free some space, then try again.",
	});

const dataFolderUnusableError = (reason: string, cause?: unknown): StorageError =>
	new StorageError(`The data folder cannot be used: ${reason}.`, {
		code: "storage_unavailable",
		hint: "Check that it exists, that the service may write to it, and that its disk works.",
		cause,
	});
