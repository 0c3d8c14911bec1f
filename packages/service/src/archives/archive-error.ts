import { StemmaError } from "@stemma/core/errors";

/**
 * An archive cannot be written, read or used. Codes: `archive_exists`, `archive_missing`, `archive_unwritable`,
 * `archive_no_space`, `archive_incomplete`, `archive_damaged`, `archive_unsafe`, `archive_unsupported`.
 */
export class ArchiveError extends StemmaError {}

/** The archive ends early, or is not one of ours. */
export const incompleteArchiveError = (file: string, cause?: unknown): ArchiveError =>
	new ArchiveError(`The archive ${file} is cut off, or was not written by Stemma.`, {
		code: "archive_incomplete",
		hint: "Copy it again from where it was written, or take an older one. Nothing was changed.",
		cause,
	});

/** Error of an archive that is not what its manifest says. */
export const damagedArchiveError = (file: string, finding: string, cause?: unknown): ArchiveError =>
	new ArchiveError(`The archive ${file} is damaged: ${finding}.`, {
		code: "archive_damaged",
		hint: "Copy it again from where it was written, or take an older one. Nothing was changed.",
		cause,
	});

/** The archive holds what no archive of Stemma holds, such as a link or a path that climbs. */
export const unsafeArchiveError = (file: string, entry: string): ArchiveError =>
	new ArchiveError(`The archive ${file} has an entry that does not belong in it: ${JSON.stringify(entry)}.`, {
		code: "archive_unsafe",
		hint: "Do not use it: Stemma has not written it as it is. Nothing was changed.",
	});

/** A later version has written the archive. */
export const unsupportedArchiveError = (file: string, what: string): ArchiveError =>
	new ArchiveError(`A later version of Stemma wrote the archive ${file} (${what}).`, {
		code: "archive_unsupported",
		hint: "Use the version of stemma that wrote it, or a later one.",
	});

/** Error of an operation on a file of an archive, or beside it. */
export function toArchiveFileError(error: unknown, path: string): unknown {
	const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
	if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return noSpaceError(path, error);
	if (code === undefined || !FILE_CODES.includes(code)) return error;
	return new ArchiveError(`${path} cannot be used: the system says ${code}.`, {
		code: code === "ENOENT" ? "archive_missing" : "archive_unwritable",
		hint: "Check the path, and that this user may read and write there.",
		cause: error,
	});
}

const FILE_CODES = ["ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EISDIR", "EIO", "ELOOP", "EMFILE"];

const noSpaceError = (path: string, cause: unknown): ArchiveError =>
	new ArchiveError(`There is no space left for ${path}.`, {
		code: "archive_no_space",
		hint: "Free some space, or write to another disk. What was written is removed again.",
		cause,
	});
