import { createCallGuard } from "./call-guard";
import type { CallOptions } from "./call-options";
import { DocumentFailedError } from "./errors";
import type { DocumentListOptions, KnowledgeDocument } from "./types/knowledge";
import type { Page } from "./types/page";

export interface WaitOptions extends CallOptions {
	/** Milliseconds between two looks. Default 500. */
	readonly pollMs?: number;
	/** Is told whenever more of them have ended. */
	readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

/** How many documents of those that are waited for have ended so far. */
export interface WaitProgress {
	readonly ready: number;
	readonly failed: number;
	readonly total: number;
}

/** How documents are looked at: one, or a page of those after one. */
export interface DocumentReads {
	get(documentId: string, options: CallOptions): Promise<KnowledgeDocument>;
	list(page: DocumentListOptions, options: CallOptions): PromiseLike<Page<KnowledgeDocument>>;
}

const DEFAULT_TOTAL_MS = 600_000;
const DEFAULT_POLL_MS = 500;
const PAGE = 100;
/** So many are looked at one by one. */
const FEW = 4;

/**
 * They are read in about their order, which is that of their ids. So the first one that is under way is asked for, and
 * the page after it has up to a hundred more of the same upload: hundreds take no more than a few requests a look.
 */
export async function waitForDocuments(
	documentIds: readonly string[],
	{ get, list }: DocumentReads,
	{ pollMs = DEFAULT_POLL_MS, onProgress, ...options }: WaitOptions = {},
): Promise<readonly KnowledgeDocument[]> {
	const { totalMs = DEFAULT_TOTAL_MS, ...timeouts } = options.timeouts ?? {};
	const guard = createCallGuard({ responseMs: totalMs, silenceMs: totalMs, totalMs }, options.signal);
	const callOptions = { ...options, timeouts };
	const waitedFor = new Set(documentIds);
	const pending = new Set([...documentIds].sort());
	const ended = new Map<string, KnowledgeDocument>();
	let areTogether = true;

	function note(id: string, document: KnowledgeDocument): void {
		if (isUnderWay(document) || !pending.delete(id)) return;
		ended.set(id, document);
		const failed = [...ended.values()].filter(hasFailed).length;
		onProgress?.({ ready: ended.size - failed, failed, total: ended.size + pending.size });
	}

	async function lookAfter(id: string): Promise<void> {
		const { data } = await guard.wait(Promise.resolve(list({ after: id, limit: PAGE }, callOptions)));
		areTogether = data.some((document) => waitedFor.has(document.id));
		for (const document of data) note(document.id, document);
	}

	try {
		for (const id of pending) {
			while (pending.has(id)) {
				note(id, await guard.wait(get(id, callOptions)));
				if (areTogether && pending.size > FEW) await lookAfter(id);
				if (pending.has(id)) await guard.sleep(pollMs);
			}
		}
	} finally {
		guard.end();
	}
	const documents = documentIds.flatMap((id) => ended.get(id) ?? []);
	const failed = documents.filter(hasFailed);
	if (failed.length > 0) throw new DocumentFailedError(failed);
	return documents;
}

const isUnderWay = ({ status }: KnowledgeDocument): boolean => status === "queued" || status === "processing";

const hasFailed = ({ status }: KnowledgeDocument): boolean => status === "failed";
