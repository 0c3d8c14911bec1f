import { createCallGuard } from "./call-guard";
import type { CallOptions } from "./call-options";
import { DocumentFailedError } from "./errors";
import type { KnowledgeDocument } from "./types/knowledge";

export interface WaitOptions extends CallOptions {
	/** Milliseconds between two looks at a document. Default 500. */
	readonly pollMs?: number;
}

const DEFAULT_TOTAL_MS = 600_000;
const DEFAULT_POLL_MS = 500;

type GetDocument = (documentId: string, options: CallOptions) => Promise<KnowledgeDocument>;

/** Looks at one after the other: they are read in about their order, so most are done when their turn comes. */
export async function waitForDocuments(
	documentIds: readonly string[],
	get: GetDocument,
	{ pollMs = DEFAULT_POLL_MS, ...options }: WaitOptions = {},
): Promise<readonly KnowledgeDocument[]> {
	const { totalMs = DEFAULT_TOTAL_MS, ...perRequest } = options.timeouts ?? {};
	const guard = createCallGuard({ responseMs: totalMs, silenceMs: totalMs, totalMs }, options.signal);
	const look = (id: string): Promise<KnowledgeDocument> =>
		guard.wait(get(id, { ...options, timeouts: perRequest }));
	const documents: KnowledgeDocument[] = [];
	try {
		for (const id of documentIds) {
			let document = await look(id);
			while (isUnderWay(document)) {
				await guard.sleep(pollMs);
				document = await look(id);
			}
			documents.push(document);
		}
	} finally {
		guard.end();
	}
	const failed = documents.filter(({ status }) => status === "failed");
	if (failed.length > 0) throw new DocumentFailedError(failed);
	return documents;
}

const isUnderWay = ({ status }: KnowledgeDocument): boolean => status === "queued" || status === "processing";
