import { type Knowledge, type KnowledgeDocument, NotFoundError } from "@stemma/client";
import { countKinds, type DocumentOutcome } from "./count-kinds";
import { type FoundDocument, findDocuments } from "./find-documents";
import type { IngestReport } from "./ingest-report";
import { type IngestProgress, type IngestWork, listStored, runStep } from "./ingest-work";
import { isBelow, keepBehindLinks } from "./keep-behind-links";
import { fingerprint, type LocalDocument } from "./local-document";
import { type IngestPlan, planIngest, type StoredDocument } from "./plan-ingest";
import { uploadAll } from "./upload-all";
import { waitForIndexing } from "./wait-for-indexing";

/** Options of an ingest, which brings a knowledge base up to date with folders. */
export interface IngestOptions {
	/**
	 * Removes documents whose source is gone or has become empty, but none that came through a link which is not followed.
	 * Only sensible with one whole folder. Default false.
	 */
	readonly prune?: boolean;
	/** Reports documents that cannot be read as skipped, not as failed. Default false. */
	readonly skipUnreadable?: boolean;
	/** Follows links out of the folders. Default false: they are left out. */
	readonly followLinks?: boolean;
	/** Reads lock files of package managers and minified files, too. Default false. */
	readonly includeGenerated?: boolean;
	/** Reads files with these extensions, too, which only a reader of the service takes: in lower case, without dots. Default: none. */
	readonly extensions?: readonly string[] | undefined;
	readonly onProgress?: (progress: IngestProgress) => void;
	readonly onBusy?: IngestWork["onBusy"];
	readonly signal?: AbortSignal | undefined;
}

/**
 * Brings a knowledge base up to date with folders and files: only what has changed is uploaded, so that running it again
 * goes on where it was stopped. A document that cannot be read is in the report, and the others go on.
 *
 * @throws ConfigurationError when there is nothing to ingest; what the service answers, where that is not about one
 * document.
 */
export async function ingest(
	knowledge: Knowledge,
	knowledgeBaseId: string,
	paths: readonly string[],
	options: IngestOptions = {},
): Promise<IngestReport> {
	const { prune = false, skipUnreadable = false, onProgress = () => undefined, onBusy, signal } = options;
	const startedAt = performance.now();
	const { documents, unreadable, leftOut, unfollowed } = await findDocuments(paths, options);
	const failures = new Map(unreadable.map(({ path, reason }) => [path, reason]));
	const work: IngestWork = { knowledge, knowledgeBaseId, failures, onProgress, onBusy, signal };
	const all = await fingerprintAll(work, documents);
	const local = all.filter(({ isEmpty }) => !isEmpty);
	const empty = new Set(all.filter(({ isEmpty }) => isEmpty).map(({ source }) => source));
	const hidden = unreadable.map(({ path }) => path);
	const isMissing = (source: string): boolean => prune && !failures.has(source) && !isBelow(source, hidden);
	const before = await listStored(work);
	const kept = prune
		? []
		: before.flatMap(({ source }) => (source !== null && empty.has(source) ? [source] : []));
	const { plan, behindLinks } = keepBehindLinks(planIngest(local, before, isMissing), unfollowed);
	await removeAll(work, plan.removals);
	await uploadAll(work, plan.uploads);
	await waitForIndexing(knowledge, knowledgeBaseId, toIndexingProgress(onProgress), signal);
	const stored = await listStored(work);
	const known = new Map(stored.map((document) => [document.source, document]));
	for (const { source } of local) if (hasNoText(known.get(source))) empty.add(source);
	const { failed, outcomes, ...counted } = countOutcome(plan, stored, failures);
	const unreadableFiles = failed.filter(({ source }) => !empty.has(source));
	for (const { source } of unreadableFiles) outcomes.set(source, skipUnreadable ? "skipped" : "failed");
	for (const source of empty) outcomes.set(source, "empty");
	return {
		...counted,
		kinds: countKinds(outcomes, options.extensions),
		failed: skipUnreadable ? [] : unreadableFiles,
		skipped: skipUnreadable ? unreadableFiles : [],
		empty: [...empty].sort(),
		kept: kept.sort(),
		behindLinks,
		leftOut,
		ms: performance.now() - startedAt,
	};
}

/** The service read it and found no text in it. */
const hasNoText = (document: KnowledgeDocument | undefined): boolean =>
	document?.status === "failed" && document.error?.code === "no_text";

async function fingerprintAll(
	work: IngestWork,
	documents: readonly FoundDocument[],
): Promise<LocalDocument[]> {
	const local: LocalDocument[] = [];
	await runStep(work, {
		stage: "Comparing",
		items: documents,
		sourcesOf: ({ source }) => [source],
		work: async (document) => local.push(await fingerprint(document)),
	});
	return local;
}

function removeAll(work: IngestWork, removals: readonly StoredDocument[]): Promise<void> {
	const { knowledge, knowledgeBaseId, signal } = work;
	return runStep(work, {
		stage: "Removing",
		items: removals,
		sourcesOf: ({ source }) => [source ?? ""],
		work: ({ id }) => knowledge.documents.delete(knowledgeBaseId, id, { signal }).catch(ignoreMissing),
	});
}

function ignoreMissing(error: unknown): void {
	if (!NotFoundError.is(error) || error.code !== "document_not_found") throw error;
}

/** Creates the progress listener for indexing. The total is known only once indexing has begun. */
function toIndexingProgress(onProgress: IngestWork["onProgress"]): (pending: number) => void {
	let total = 0;
	return (pending) => {
		total = Math.max(total, pending);
		if (total > 0) onProgress({ stage: "Indexing", done: total - pending, total, label: "" });
	};
}

interface Counted
	extends Pick<IngestReport, "new" | "changed" | "unchanged" | "removed" | "failed" | "passages"> {
	/** Outcomes of the documents that can be searched now, by source. */
	readonly outcomes: Map<string, DocumentOutcome>;
}

/** Counts the outcome of a plan. Documents that the service could not read are added to the failures. */
function countOutcome(
	{ uploads, unchanged, removals }: IngestPlan,
	stored: readonly KnowledgeDocument[],
	failures: Map<string, string>,
): Counted {
	const known = new Map(stored.map((document) => [document.source, document]));
	const isReady = ({ source }: LocalDocument): boolean => {
		const document = known.get(source);
		if (document?.status === "failed") failures.set(source, document.error?.message ?? "no reason was given");
		return !failures.has(source);
	};
	const uploaded = uploads.filter(({ document }) => isReady(document));
	const same = unchanged.filter(isReady);
	const isNew = uploaded.filter(({ kind }) => kind === "new").length;
	const outcomes = new Map<string, DocumentOutcome>([
		...uploaded.map(({ document, kind }) => [document.source, kind === "new" ? kind : "changed"] as const),
		...same.map(({ source }) => [source, "unchanged"] as const),
	]);
	return {
		new: isNew,
		changed: uploaded.length - isNew,
		unchanged: same.length,
		removed: removals.length,
		failed: [...failures].map(([source, reason]) => ({ source, reason })),
		passages: [...outcomes.keys()].reduce((sum, source) => sum + (known.get(source)?.passage_count ?? 0), 0),
		outcomes,
	};
}
