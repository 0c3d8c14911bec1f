import { basename } from "node:path";
import { ApiError, type Knowledge, type KnowledgeDocument, NotFoundError } from "@stemma/client";
import { type Unreadable, UnreadableError } from "@stemma/service/documents";
import { listAll, WHOLE_PAGES } from "../connection/list-all";
import { type FoundDocument, findDocuments } from "./find-documents";
import { forEachConcurrently } from "./for-each-concurrently";
import type { FailedDocument, IngestReport } from "./ingest-report";
import { fingerprint, type LocalDocument, readDocument } from "./local-document";
import { type PlannedUpload, planIngest, type StoredDocument } from "./plan-ingest";
import { waitForIndexing } from "./wait-for-indexing";

export interface IngestOptions {
	/** Removes documents whose source is gone. Only sensible with one whole folder. Default false. */
	readonly prune?: boolean;
	readonly onProgress?: (progress: IngestProgress) => void;
	readonly signal?: AbortSignal | undefined;
}

export interface IngestProgress {
	readonly stage: "Comparing" | "Uploading" | "Indexing";
	readonly done: number;
	readonly total: number;
	/** What was done last; empty where that is not known. */
	readonly label: string;
}

const AT_ONCE = 4;

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
	{ prune = false, onProgress = () => undefined, signal }: IngestOptions = {},
): Promise<IngestReport> {
	const startedAt = performance.now();
	const found = await findDocuments(paths, signal);
	const failures = new Map<string, string>(found.unreadable.map(({ path, reason }) => [path, reason]));
	const listStored = (): Promise<KnowledgeDocument[]> =>
		listAll(knowledge.documents.list(knowledgeBaseId, WHOLE_PAGES, { signal }));

	/** Does the same with all items; those that fail on their own account are kept as failures. */
	async function forAll<Item>(
		items: readonly Item[],
		stage: IngestProgress["stage"],
		sourceOf: (item: Item) => string,
		work: (item: Item) => Promise<unknown>,
	): Promise<void> {
		let done = 0;
		await forEachConcurrently(items, AT_ONCE, async (item) => {
			signal?.throwIfAborted();
			await work(item).catch((error: unknown) => failures.set(sourceOf(item), toReason(error)));
			onProgress({ stage, done: ++done, total: items.length, label: sourceOf(item) });
		});
	}

	const local: LocalDocument[] = [];
	await forAll<FoundDocument>(found.documents, "Comparing", sourceOf, async (document) => {
		local.push(await fingerprint(document));
	});
	const isGone = (source: string): boolean =>
		prune && !failures.has(source) && !isBelow(source, found.unreadable);
	const plan = planIngest(local, await listStored(), isGone);
	await forAll<StoredDocument>(
		plan.removals,
		"Uploading",
		({ source }) => source ?? "",
		({ id }) => knowledge.documents.delete(knowledgeBaseId, id, { signal }).catch(unlessGone),
	);
	await forAll<PlannedUpload>(
		plan.uploads,
		"Uploading",
		({ document }) => document.source,
		({ document }) => upload(knowledge, knowledgeBaseId, document, signal),
	);
	await waitForIndexing(knowledge, knowledgeBaseId, toIndexingProgress(onProgress), signal);
	return toReport(await listStored());

	function toReport(stored: readonly KnowledgeDocument[]): IngestReport {
		const known = new Map(stored.map((document) => [document.source, document]));
		for (const { source } of local) {
			const document = known.get(source);
			if (document?.status === "failed") failures.set(source, document.error?.message ?? "no reason given");
		}
		const isReady = ({ source }: LocalDocument): boolean => !failures.has(source);
		const ready = local.filter(isReady);
		const uploaded = plan.uploads.filter(({ document }) => isReady(document));
		const isNew = uploaded.filter(({ kind }) => kind === "new").length;
		return {
			new: isNew,
			changed: uploaded.length - isNew,
			unchanged: plan.unchanged.filter(isReady).length,
			removed: plan.removals.length,
			failed: [...failures].map(([source, reason]): FailedDocument => ({ source, reason })),
			passages: ready.reduce((sum, { source }) => sum + (known.get(source)?.passage_count ?? 0), 0),
			leftOut: found.leftOut,
			ms: performance.now() - startedAt,
		};
	}
}

const sourceOf = ({ source }: FoundDocument): string => source;

/** A folder that cannot be listed may still hold what looks gone. */
const isBelow = (source: string, unreadable: readonly Unreadable[]): boolean =>
	unreadable.some(({ path }) => path === "" || source.startsWith(`${path}/`));

async function upload(
	knowledge: Knowledge,
	knowledgeBaseId: string,
	document: LocalDocument,
	signal: AbortSignal | undefined,
): Promise<void> {
	const { source, file } = document;
	const bytes = await readDocument(document);
	await knowledge.documents.upload(
		knowledgeBaseId,
		{ file: bytes, name: basename(file), source },
		{ signal },
	);
}

/** What the service says of one document; anything else would be the same for all of them. */
const ABOUT_ONE_DOCUMENT = [400, 413, 415, 422];

/** @throws the error itself where it is not about the document. */
function toReason(error: unknown): string {
	if (error instanceof UnreadableError) return error.message;
	if (ApiError.is(error) && ABOUT_ONE_DOCUMENT.includes(error.status)) return error.message;
	throw error;
}

/** Someone else was quicker. */
function unlessGone(error: unknown): void {
	if (!NotFoundError.is(error) || error.code !== "document_not_found") throw error;
}

/** How many there are to index is known once it has begun. */
function toIndexingProgress(onProgress: (progress: IngestProgress) => void): (pending: number) => void {
	let total = 0;
	return (pending) => {
		total = Math.max(total, pending);
		if (total > 0) onProgress({ stage: "Indexing", done: total - pending, total, label: "" });
	};
}
