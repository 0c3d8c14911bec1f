import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { type DocumentFormat, findFormat, READABLE_FORMATS } from "../document-format";
import { cutPassages } from "../passages/cut-passages";
import type { Passage, SourceDocument } from "../passages/passage";
import { toDocumentId } from "../passages/passage-id";
import { findTitle } from "../passages/sections";
import { UnreadableError } from "../unreadable-error";
import { toUnreadableError } from "./describe-unreadable";
import { ignoreStrayRejections } from "./ignore-stray-rejections";
import { listFiles, type Unreadable } from "./list-files";
import { readSource } from "./read-source";
import { countUnreadFormats, describeSkipped, type SkippedFiles, sumSkipped } from "./skipped-files";

/** Options of reading all documents of a folder; one error lists every file that cannot be read. */
export interface ReadFolderOptions {
	/** Follows links out of the folder, but not to folders around it. Default false: they are left out. */
	readonly followLinks?: boolean | undefined;
	/** Goes on without what cannot be read and names it in the result. Default false: it is an error. */
	readonly skipUnreadable?: boolean | undefined;
	/** Called after each document. */
	readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface ReadProgress {
	readonly done: number;
	readonly total: number;
	readonly path: string;
}

export interface FolderContent {
	/** Documents in the order of their paths. */
	readonly documents: readonly SourceDocument[];
	/** Passages in the order of their documents, and within one in reading order. */
	readonly passages: readonly Passage[];
	/** Paths of documents that hold no text; they are not in `documents`. */
	readonly emptyPaths: readonly string[];
	readonly skipped: readonly SkippedFiles[];
	/** Empty unless `skipUnreadable` is set. */
	readonly unreadable: readonly Unreadable[];
}

interface DocumentFile {
	readonly path: string;
	readonly format: DocumentFormat;
}

/**
 * Reads all documents below a folder. The same files give the same result, ids included.
 *
 * @throws ConfigurationError when the folder does not exist or holds no documents, or for all that cannot be read.
 */
export async function readFolder(folder: string, options: ReadFolderOptions = {}): Promise<FolderContent> {
	const { skipUnreadable = false, followLinks, onProgress, signal } = options;
	await assertFolder(folder);
	const listing = await listFiles(folder, { followLinks, signal });
	const { found, others } = sortByFormat(listing.paths);
	const skipped = sumSkipped([...countUnreadFormats(others), ...listing.skipped]);
	const unreadable = [...listing.unreadable];
	if (found.length === 0 && unreadable.length === 0) throw noDocumentsError(folder, skipped);
	const documents: SourceDocument[] = [];
	const passages: Passage[][] = [];
	const emptyPaths: string[] = [];
	await ignoreStrayRejections(async () => {
		for (const [index, { path, format }] of found.entries()) {
			signal?.throwIfAborted();
			const read = await readDocument(folder, { path, format }, listing.rootPath);
			if ("reason" in read) unreadable.push(read);
			else if (read.passages.length === 0) emptyPaths.push(path);
			else {
				documents.push(read.document);
				passages.push(read.passages);
			}
			onProgress?.({ done: index + 1, total: found.length, path });
		}
	});
	if (unreadable.length > 0 && (!skipUnreadable || documents.length + emptyPaths.length === 0))
		throw toUnreadableError(folder, unreadable, skipUnreadable);
	return { documents, passages: passages.flat(), emptyPaths, skipped, unreadable };
}

async function assertFolder(folder: string): Promise<void> {
	const status = await stat(folder).catch((error: unknown) => {
		const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
		const message = isMissing ? "does not exist" : `cannot be read: ${String(error)}`;
		throw new ConfigurationError(`The folder "${folder}" ${message}.`, {
			hint: "Give the folder that holds the documents.",
			cause: error,
		});
	});
	if (status.isDirectory()) return;
	throw new ConfigurationError(`"${folder}" is a file, and a folder of documents is expected.`, {
		hint: "Give the folder that the file is in.",
	});
}

function sortByFormat(paths: readonly string[]): { found: DocumentFile[]; others: string[] } {
	const found: DocumentFile[] = [];
	const others: string[] = [];
	for (const path of paths) {
		const format = findFormat(path);
		if (format !== undefined) found.push({ path, format });
		else others.push(path);
	}
	return { found, others };
}

function noDocumentsError(folder: string, skipped: readonly SkippedFiles[]): ConfigurationError {
	const skippedText = describeSkipped(skipped);
	return new ConfigurationError(
		`The folder "${folder}" holds no documents that can be read${skippedText === "" ? "; it is empty" : `; found: ${skippedText}`}.`,
		{ hint: `Readable formats: ${READABLE_FORMATS}.` },
	);
}

async function readDocument(
	folder: string,
	{ path, format }: DocumentFile,
	root: string | undefined,
): Promise<{ document: SourceDocument; passages: Passage[] } | Unreadable> {
	try {
		const parsed = await readSource(join(folder, path), format, root);
		const document = {
			document_id: toDocumentId(folder, path),
			title: findTitle(parsed, posix.basename(path)),
			path,
		};
		// A copy, because parts of a string keep the whole of it, here the file, in memory.
		return structuredClone({ document, passages: cutPassages(document, parsed) });
	} catch (error) {
		if (error instanceof UnreadableError) return { path, reason: error.message };
		throw error;
	}
}
