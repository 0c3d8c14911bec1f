import { stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { findFormat, READABLE_FORMATS } from "@stemma/documents";
import {
	countUnreadFormats,
	describeSkipped,
	type ListFilesOptions,
	listFiles,
	type SkippedFiles,
	sumSkipped,
	type Unreadable,
} from "@stemma/documents/folder";

/** A file that can become a document. */
export interface FoundDocument {
	/** Source name of the document at the service: its path within the folder, with `/`; for a single file its name. */
	readonly source: string;
	readonly file: string;
	/** Real path of the folder that it must be in when it is read; left out: it may be anywhere. */
	readonly within?: string | undefined;
}

export interface FoundDocuments {
	readonly documents: readonly FoundDocument[];
	readonly leftOut: readonly SkippedFiles[];
	/** Files and folders that cannot be looked into; paths as sources are. */
	readonly unreadable: readonly Unreadable[];
	/** Links that were not followed; paths as sources are. */
	readonly unfollowed: readonly string[];
}

/** Options of {@link findDocuments}. */
export interface FindDocumentsOptions extends ListFilesOptions {
	/** Extensions of files that a reader of the service takes, as {@link toExtension} gives them. Default: none. */
	readonly extensions?: readonly string[] | undefined;
}

/** Extension of a file, in lower case and without its dot. */
export const toExtension = (file: string): string => extname(file).slice(1).toLowerCase();

/**
 * All documents below folders, and single files.
 *
 * @throws ConfigurationError when a path does not exist, there are no documents, or two would have the same source.
 */
export async function findDocuments(
	paths: readonly string[],
	options: FindDocumentsOptions = {},
): Promise<FoundDocuments> {
	const files: FoundDocument[] = [];
	const unreadable: Unreadable[] = [];
	const unfollowed: string[] = [];
	const notListed: SkippedFiles[] = [];
	for (const path of paths) {
		if (!(await isFolder(path))) files.push({ source: basename(path), file: path });
		else {
			const listing = await listFiles(path, options);
			const { rootPath } = listing;
			files.push(...listing.paths.map((source) => ({ source, file: join(path, source), within: rootPath })));
			unreadable.push(...listing.unreadable);
			unfollowed.push(...listing.unfollowed);
			notListed.push(...listing.skipped);
		}
	}
	const { extensions = [] } = options;
	const isReadable = (file: string): boolean =>
		findFormat(file) !== undefined || extensions.includes(toExtension(file));
	const documents = files.filter(({ file }) => isReadable(file));
	const others = files.map(({ file }) => file).filter((file) => !isReadable(file));
	const leftOut = sumSkipped([...countUnreadFormats(others), ...notListed]);
	if (documents.length === 0 && unreadable.length === 0) throw noDocuments(paths, leftOut);
	assertUniqueSources(documents);
	return { documents, leftOut, unreadable, unfollowed };
}

async function isFolder(path: string): Promise<boolean> {
	try {
		return (await stat(path)).isDirectory();
	} catch (cause) {
		const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
		throw new ConfigurationError(`"${path}" ${isMissing ? "does not exist" : "cannot be read"}.`, {
			hint: "Give a folder of documents, or single files.",
			cause,
		});
	}
}

function noDocuments(paths: readonly string[], leftOut: readonly SkippedFiles[]): ConfigurationError {
	const found = leftOut.length === 0 ? "it is empty" : `found: ${describeSkipped(leftOut)}`;
	return new ConfigurationError(
		`There are no documents that can be read in ${paths.map((path) => `"${path}"`).join(", ")}; ${found}.`,
		{ hint: `Readable formats: ${READABLE_FORMATS}.` },
	);
}

/** The second would replace the first. */
function assertUniqueSources(documents: readonly FoundDocument[]): void {
	const files = new Map<string, string>();
	for (const { source, file } of documents) {
		const other = files.get(source);
		if (other !== undefined)
			throw new ConfigurationError(`"${other}" and "${file}" would both be the document "${source}".`, {
				hint: "Ingest the folder that holds both, or each into a knowledge base of its own.",
			});
		files.set(source, file);
	}
}
