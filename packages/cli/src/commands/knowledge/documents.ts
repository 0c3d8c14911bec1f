import { pipeline } from "node:stream/promises";
import {
	DocumentFailedError,
	type DocumentFile,
	type DocumentStatus,
	type Knowledge,
	type KnowledgeDocument,
} from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { FULL_PAGES, listAll, toPageSize } from "../../connection/list-all";
import { readDocument } from "../../documents/find-document";
import { formatDocument, formatDocuments, toDocumentName } from "../../documents/format-document";
import { saveFile } from "../../documents/save-file";
import {
	type KnowledgeBaseCommandOptions,
	withKnowledgeBase,
} from "../../knowledge-bases/with-knowledge-base";
import { confirm } from "../../terminal/input/confirm";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { print } from "../../terminal/print";
import { sanitizeLine, sanitizeText, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";

/** Options of the commands `stemma docs`. */
export type DocumentCommandOptions = KnowledgeBaseCommandOptions;

export interface ListDocumentsOptions extends DocumentCommandOptions {
	readonly status?: DocumentStatus;
	/** Default: all. */
	readonly limit?: number;
}

export interface DeleteDocumentsOptions extends DocumentCommandOptions {
	readonly yes: boolean;
}

export interface OpenDocumentOptions extends DocumentCommandOptions {
	/** A file or a folder. Default: standard output. */
	readonly out?: string;
	readonly force: boolean;
}

const HINTS: Readonly<Record<string, string>> = {
	document_not_found: '"stemma docs list --kb <slug or id>" lists them.',
	document_not_ready: '"stemma docs show" prints its status, and its error if it failed.',
	original_not_stored: "An earlier version of the service read it and kept no file. Upload it again.",
	text_not_stored: "An earlier version of the service read it and kept no text. Upload it again.",
};

export async function listDocuments(terminal: Terminal, options: ListDocumentsOptions): Promise<void> {
	const { status, limit = Number.POSITIVE_INFINITY } = options;
	const filter = omitUndefined({ status, limit: toPageSize(limit) });
	const found = await withKnowledgeBase(options, HINTS, ({ documents }, id) =>
		listAll(documents.list(id, filter), limit),
	);
	const none = `No ${status === undefined ? "" : `${status} `}documents were found.\n`;
	print(terminal, options, found, () => (found.length === 0 ? none : formatDocuments(found)));
}

export async function showDocument(
	terminal: Terminal,
	idOrSource: string,
	options: DocumentCommandOptions,
): Promise<void> {
	const found = await withKnowledgeBase(options, HINTS, (knowledge, id) =>
		readDocument(knowledge, id, idOrSource),
	);
	print(terminal, options, found, () => formatDocument(found));
}

/** Prints the text that passages were cut from: as it is for programs, without control characters on a terminal. */
export async function printDocumentText(
	terminal: Terminal,
	idOrSource: string,
	options: DocumentCommandOptions,
): Promise<void> {
	const [id, text] = await withKnowledgeBase(options, HINTS, async (knowledge, knowledgeBaseId) => {
		const document = await readDocument(knowledge, knowledgeBaseId, idOrSource);
		return [document.id, (await knowledge.documents.text(knowledgeBaseId, document.id)).text];
	});
	const toText = (): string => (terminal.stdout.isTTY ? `${sanitizeText(text).trimEnd()}\n` : text);
	print(terminal, options, { document_id: id, text }, toText);
}

/** Saves the file of a document as it was uploaded, or writes it to standard output. */
export async function openDocument(
	terminal: Terminal,
	idOrSource: string,
	options: OpenDocumentOptions,
): Promise<void> {
	const { stdout } = terminal;
	const { out, force: canReplace, json } = options;
	if (out === undefined) assertTakesBytes(stdout, json);
	await withKnowledgeBase(options, HINTS, async (knowledge, knowledgeBaseId) => {
		const { id } = await readDocument(knowledge, knowledgeBaseId, idOrSource);
		const file = await knowledge.documents.file(knowledgeBaseId, id);
		if (out === undefined) return pipeline(file, stdout, { end: false });
		const path = await saveFile(file, out, { canReplace });
		print(terminal, options, toSavedFile(id, path, file), () => `Saved ${sanitizeLine(path)}.\n`);
	});
}

const toSavedFile = (documentId: string, path: string, { type, size, sha256 }: DocumentFile): object => ({
	document_id: documentId,
	path,
	type,
	size_bytes: size,
	sha256,
});

/** @throws ConfigurationError where standard output is a terminal or has JSON. */
function assertTakesBytes({ isTTY }: Pick<NodeJS.WriteStream, "isTTY">, isJson: boolean): void {
	if (!isTTY && !isJson) return;
	throw new ConfigurationError(isJson ? "--json needs --out." : "A file is not printed on a terminal.", {
		hint: 'Save it with --out <file or folder>, or print its text with "stemma docs text".',
	});
}

/**
 * Reads documents that failed or have unread pages again, from the files that the service has, and waits for them. Returns
 * the exit code.
 *
 * @param idsOrSources - none: all that failed.
 */
export async function retryDocuments(
	terminal: Terminal,
	idsOrSources: readonly string[],
	options: DocumentCommandOptions,
): Promise<number> {
	return runUntilInterrupted(terminal, "Stopped. The service goes on reading.", (signal) =>
		withKnowledgeBase(options, HINTS, async (knowledge, knowledgeBase) => {
			const { documents } = knowledge;
			const all = await findRetried(knowledge, knowledgeBase, idsOrSources);
			const ids = [...new Set(all.map(({ id }) => id))];
			for (const id of ids) await documents.retry(knowledgeBase, id, { signal });
			const read = await waitUntilRead(documents, knowledgeBase, ids, signal);
			print(terminal, options, read, () => (read.length === 0 ? NO_FAILED : formatDocuments(read)));
			return read.every(({ status }) => status === "ready") ? 0 : 1;
		}),
	);
}

const NO_FAILED = "No document has failed.\n";

async function findRetried(
	knowledge: Knowledge,
	knowledgeBase: string,
	idsOrSources: readonly string[],
): Promise<readonly KnowledgeDocument[]> {
	if (idsOrSources.length === 0)
		return listAll(knowledge.documents.list(knowledgeBase, { ...FULL_PAGES, status: "failed" }));
	const found: KnowledgeDocument[] = [];
	for (const name of idsOrSources) found.push(await readDocument(knowledge, knowledgeBase, name));
	return found;
}

async function waitUntilRead(
	{ waitUntilReady }: Knowledge["documents"],
	knowledgeBase: string,
	ids: readonly string[],
	signal: AbortSignal,
): Promise<readonly KnowledgeDocument[]> {
	if (ids.length === 0) return [];
	try {
		return await waitUntilReady(knowledgeBase, ids, { signal });
	} catch (error) {
		if (DocumentFailedError.is(error)) return error.documents;
		throw error;
	}
}

export async function deleteDocuments(
	terminal: Terminal,
	idsOrSources: readonly string[],
	options: DeleteDocumentsOptions,
): Promise<void> {
	const deleted = await withKnowledgeBase(options, HINTS, async (knowledge, knowledgeBaseId) => {
		const found: KnowledgeDocument[] = [];
		for (const name of idsOrSources) found.push(await readDocument(knowledge, knowledgeBaseId, name));
		const names = found.map((document) => `"${sanitizeLine(toDocumentName(document))}"`).join(", ");
		await confirm(terminal, {
			question: `${count(found.length, "document")} will be deleted for good: ${names}.`,
			word: "delete",
			isConfirmed: options.yes,
		});
		const ids = [...new Set(found.map(({ id }) => id))];
		for (const id of ids) await knowledge.documents.delete(knowledgeBaseId, id);
		return ids;
	});
	const toResult = (id: string): object => ({ id, deleted: true });
	print(terminal, options, deleted.map(toResult), () => `Deleted ${count(deleted.length, "document")}.\n`);
}
