import type { SourceIssue } from "@stemma/client";
import { isStemmaError } from "@stemma/core/errors";
import { type DocumentUploadInput, toNewDocument } from "../../knowledge/ingest/new-document";
import type { FindFormat } from "../../knowledge/ingest/reading/document-reader";
import type { SpoolFile, SpoolWriter } from "../../store/data-folder/spool";
import type { ContentItem, SourceItem } from "../connectors/connector";
import { tooLargeError } from "../http/source-fetch";
import type { ScannedItem } from "../repositories/sync-repository";
import { SourceError } from "../source-error";

/** Findings of a scan that wait to be stored together, with their contents in the spool. */
export interface ItemBatch {
	/** Adds a finding; its content is read whole. Stores all that wait, where they are many. */
	add(item: SourceItem): Promise<void>;
	/** Stores what waits. */
	flush(): Promise<void>;
	/** Deletes what waits in the spool. */
	discard(): Promise<void>;
}

export interface ItemBatchOptions {
	createFile(): Promise<SpoolFile>;
	/** Stores findings. @param bytes - size of their contents. */
	store(items: readonly ScannedItem[], bytes: number): Promise<void>;
	readonly maxItemBytes: number;
	readonly findAddedFormat: FindFormat;
	readonly signal: AbortSignal;
	readonly now: () => number;
}

const MAX_BATCH_ITEMS = 100;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** Longest time that a finding waits to be stored, in milliseconds, where more come. */
const MAX_BATCH_MS = 1_000;

export function createItemBatch(options: ItemBatchOptions): ItemBatch {
	const { createFile, store, now } = options;
	let items: ScannedItem[] = [];
	let file: SpoolFile | undefined;
	let startedAt = 0;

	async function discard(): Promise<void> {
		const deleted = file;
		file = undefined;
		items = [];
		await deleted?.delete();
	}

	async function flush(): Promise<void> {
		try {
			if (items.length > 0) await store(items, file?.bytes ?? 0);
		} finally {
			await discard();
		}
	}

	async function read(item: ContentItem): Promise<ScannedItem> {
		file ??= await createFile();
		return readContent(item, file, options);
	}

	return {
		async add(item) {
			if (items.length === 0) startedAt = now();
			items.push(await toScanned(item, read));
			const isFull = items.length >= MAX_BATCH_ITEMS || (file?.bytes ?? 0) >= MAX_BATCH_BYTES;
			if (isFull || now() - startedAt >= MAX_BATCH_MS) await flush();
		},
		flush,
		discard,
	};
}

async function toScanned(
	item: SourceItem,
	read: (item: ContentItem) => Promise<ScannedItem>,
): Promise<ScannedItem> {
	if (item.kind === "content") return read(item);
	if (item.kind === "unchanged") return { kind: "unchanged", key: item.key };
	return toIssue(item.kind, item);
}

const MAX_MESSAGE_CHARACTERS = 500;

const toIssue = (
	outcome: SourceIssue["outcome"],
	{ key, code, message }: Pick<SourceIssue, "key" | "code" | "message">,
): ScannedItem => ({ kind: "issue", key, outcome, code, message: message.slice(0, MAX_MESSAGE_CHARACTERS) });

/** Longest label of a document. */
const MAX_LABEL_CHARACTERS = 2_000;

async function readContent(
	item: ContentItem,
	file: SpoolFile,
	{ maxItemBytes, findAddedFormat, signal }: ItemBatchOptions,
): Promise<ScannedItem> {
	const { key, version, fileName, mediaType, title, url } = item;
	try {
		const writer = file.startContent();
		await write(item.bytes, writer, maxItemBytes);
		const source = (url ?? key).slice(0, MAX_LABEL_CHARACTERS);
		const upload: DocumentUploadInput = {
			...{ content: writer.end(), source },
			...(fileName !== "" && { fileName }),
			...(mediaType !== null && { mediaType }),
			...(title !== null && { title }),
		};
		return {
			kind: "content",
			key,
			version,
			document: { ...toNewDocument(upload, findAddedFormat), source },
		};
	} catch (error) {
		signal.throwIfAborted();
		if (!isOfItem(error)) throw error;
		const { code, message } = error;
		return toIssue(SKIPPED_CODES.has(code) ? "skipped" : "failed", { key, code, message });
	}
}

/** Codes of items that the service does not read: they have no document. */
const SKIPPED_CODES: ReadonlySet<string> = new Set(["too_large", "unsupported_format", "needs_ocr"]);

/** Checks whether an error is of one item, and not of the whole sync. */
const isOfItem = (error: unknown): error is SourceError =>
	SourceError.is(error) || (isStemmaError(error) && SKIPPED_CODES.has(error.code));

async function write(content: ContentItem["bytes"], writer: SpoolWriter, maxBytes: number): Promise<void> {
	let length = 0;
	const chunks = content instanceof Uint8Array ? [content] : content;
	for await (const chunk of chunks) {
		length += chunk.byteLength;
		if (length > maxBytes) throw tooLargeError(maxBytes);
		await writer.write(chunk);
	}
}
