import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { cutPassages } from "./cut-passages";
import { type DocumentFormat, formatOf, READABLE_FORMATS } from "./formats";
import { countFormats, describeLeftOut, extensionOf, type LeftOut, sumLeftOut } from "./left-out";
import { listFiles, type Unreadable } from "./list-files";
import { NestingError } from "./nesting-error";
import type { Passage, SourceDocument } from "./passage";
import { toDocumentId } from "./passage-id";
import { readSource } from "./read-source";
import { findTitle } from "./sections";
import { UnreadableError } from "./unreadable";
import { toUnreadableError } from "./unreadable-error";

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
	/** In the order of their paths. */
	readonly documents: readonly SourceDocument[];
	/** In the order of their documents, and within one in reading order. */
	readonly passages: readonly Passage[];
	/** Paths of documents that hold no text; they are not in `documents`. */
	readonly empty: readonly string[];
	readonly leftOut: readonly LeftOut[];
	/** Empty unless `skipUnreadable` is set. */
	readonly unreadable: readonly Unreadable[];
}

interface FoundDocument {
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
	await checkFolder(folder);
	const listing = await listFiles(folder, { followLinks, signal });
	const { found, others } = sortByFormat(listing.paths);
	const leftOut = sumLeftOut([...countFormats(others), ...listing.leftOut]);
	const unreadable = [...listing.unreadable];
	if (found.length === 0 && unreadable.length === 0) throw noDocuments(folder, leftOut);
	const documents: SourceDocument[] = [];
	const passages: Passage[][] = [];
	const empty: string[] = [];
	for (const [index, { path, format }] of found.entries()) {
		signal?.throwIfAborted();
		const read = await readDocument(folder, { path, format }, listing.within);
		if ("reason" in read) unreadable.push(read);
		else if (read.passages.length === 0) empty.push(path);
		else {
			documents.push(read.document);
			passages.push(read.passages);
		}
		onProgress?.({ done: index + 1, total: found.length, path });
	}
	if (unreadable.length > 0 && (!skipUnreadable || documents.length + empty.length === 0))
		throw toUnreadableError(folder, unreadable, skipUnreadable);
	return { documents, passages: passages.flat(), empty, leftOut, unreadable };
}

async function checkFolder(folder: string): Promise<void> {
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

function sortByFormat(paths: readonly string[]): { found: FoundDocument[]; others: string[] } {
	const found: FoundDocument[] = [];
	const others: string[] = [];
	for (const path of paths) {
		const format = formatOf(extensionOf(path).slice(1));
		if (format !== undefined) found.push({ path, format });
		else others.push(path);
	}
	return { found, others };
}

function noDocuments(folder: string, leftOut: readonly LeftOut[]): ConfigurationError {
	const seen = describeLeftOut(leftOut);
	return new ConfigurationError(
		`The folder "${folder}" holds no documents that can be read${seen === "" ? "; it is empty" : `; found: ${seen}`}.`,
		{ hint: `Readable are ${READABLE_FORMATS}.` },
	);
}

async function readDocument(
	folder: string,
	{ path, format }: FoundDocument,
	within: string | undefined,
): Promise<{ document: SourceDocument; passages: Passage[] } | Unreadable> {
	try {
		const source = await readSource(join(folder, path), format, within);
		const parsed = parse(source, format);
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

function parse(source: string, format: DocumentFormat) {
	try {
		return format.parse(source);
	} catch (error) {
		if (error instanceof NestingError) throw new UnreadableError(error.message, { cause: error });
		throw new UnreadableError(`it is not ${format.name} that can be read (${String(error)})`, {
			cause: error,
		});
	}
}
