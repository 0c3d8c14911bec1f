import { DocumentFailedError } from "../errors/errors";
import { type CallTimeout, runWithTimeout } from "../http/call-timeout";
import type { CallOptions } from "../options/call-options";
import type { DocumentListOptions, KnowledgeDocument } from "../types/knowledge/knowledge";
import type { Page } from "../types/page";

/** Options of waiting until documents can be searched. */
export interface WaitOptions extends CallOptions {
	/** Milliseconds between two looks. Default 500. */
	readonly pollMs?: number;
	/** Called whenever more documents have ended. */
	readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

/** Progress of waiting: how many of the documents have ended so far. */
export interface WaitProgress {
	readonly ready: number;
	readonly failed: number;
	readonly total: number;
}

/** Functions that read documents: one, or a page of those after one. */
export interface DocumentReader {
	get(documentId: string, options: CallOptions): Promise<KnowledgeDocument>;
	list(page: DocumentListOptions, options: CallOptions): PromiseLike<Page<KnowledgeDocument>>;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_POLL_MS = 500;
const PAGE_SIZE = 100;
/** Maximum number of pending documents that are read one by one. */
const MAX_SINGLE_READS = 4;

/**
 * Waits for documents with few requests. The service processes documents in about the order of their ids, so each round
 * reads the first pending one, and the page after it has up to a hundred more of the same upload: hundreds take no more
 * than a few requests a round.
 */
export async function waitForDocuments(
	documentIds: readonly string[],
	reader: DocumentReader,
	options: WaitOptions = {},
): Promise<readonly KnowledgeDocument[]> {
	const { timeoutMs = DEFAULT_TIMEOUT_MS, ...timeouts } = options.timeouts ?? {};
	const limits = { headersTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs, timeoutMs };
	const ended = await runWithTimeout(limits, options.signal, (limit) =>
		readUntilEnded(documentIds, reader, limit, { ...options, timeouts }),
	);
	const documents = documentIds.flatMap((id) => ended.get(id) ?? []);
	const failed = documents.filter(hasFailed);
	if (failed.length > 0) throw new DocumentFailedError(failed);
	return documents;
}

async function readUntilEnded(
	documentIds: readonly string[],
	{ get, list }: DocumentReader,
	callTimeout: CallTimeout,
	{ pollMs = DEFAULT_POLL_MS, onProgress, ...options }: WaitOptions,
): Promise<ReadonlyMap<string, KnowledgeDocument>> {
	const requestedIds = new Set(documentIds);
	const pending = new Set([...documentIds].sort());
	const ended = new Map<string, KnowledgeDocument>();
	let areAdjacent = true;

	function recordStatus(id: string, document: KnowledgeDocument): void {
		if (isPending(document) || !pending.delete(id)) return;
		ended.set(id, document);
		const failed = [...ended.values()].filter(hasFailed).length;
		onProgress?.({ ready: ended.size - failed, failed, total: ended.size + pending.size });
	}

	async function readPageAfter(id: string): Promise<void> {
		const { data } = await callTimeout.wait(Promise.resolve(list({ after: id, limit: PAGE_SIZE }, options)));
		areAdjacent = data.some((document) => requestedIds.has(document.id));
		for (const document of data) recordStatus(document.id, document);
	}

	for (const id of pending)
		while (pending.has(id)) {
			recordStatus(id, await callTimeout.wait(get(id, options)));
			if (areAdjacent && pending.size > MAX_SINGLE_READS) await readPageAfter(id);
			if (pending.has(id)) await callTimeout.sleep(pollMs);
		}
	return ended;
}

const isPending = ({ status }: KnowledgeDocument): boolean => status === "queued" || status === "processing";

const hasFailed = ({ status }: KnowledgeDocument): boolean => status === "failed";
