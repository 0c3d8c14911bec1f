import { findFormat } from "@stemma/documents";
import type { ReadSecret } from "../../agent-ports/secret-source";
import type { Knowledge } from "../../knowledge/knowledge";
import { embeddingSpaceChanged, tooManyDocuments } from "../../knowledge/knowledge-errors";
import type { OutboundGate } from "../../outbound/outbound-gate";
import type { SpoolFile } from "../../store/data-folder/spool";
import type { ScanContext } from "../connectors/connector";
import type { Scan } from "../connectors/connectors";
import { MAX_BODY_MS } from "../connectors/read-body";
import { createSourceFetch } from "../http/source-fetch";
import type { ClaimedSync, ScannedItem, SyncEnd, SyncRepository } from "../repositories/sync-repository";
import { SourceError } from "../source-error";
import { createItemBatch } from "./item-batch";

/** Surroundings of a sync. */
export interface SyncEnvironment {
	readonly syncs: SyncRepository;
	readonly knowledge: Pick<Knowledge, "space" | "maxDocuments" | "wake" | "findAddedFormat">;
	readonly scan: Scan;
	readonly gate: Pick<OutboundGate, "fetch">;
	readonly readSecret: ReadSecret;
	createFile(): Promise<SpoolFile>;
	/** Throws where the disk or the workspace has no space for so many bytes. */
	assertSpace(bytes: number): Promise<void>;
	readonly maxItemBytes: number;
	readonly now: () => number;
}

/** Maximum number of items of one source. */
const MAX_SOURCE_ITEMS = 100_000;

/**
 * Scans a source and stores what it finds; then removes what it has not found.
 *
 * @returns the state for the next scan; `undefined` where the sync was ended by somebody else.
 * @throws SourceError, DomainError and others that end the sync; the reason of the signal.
 */
export async function runSync(
	sync: ClaimedSync,
	environment: SyncEnvironment,
	signal: AbortSignal,
): Promise<Pick<SyncEnd, "scanState"> | undefined> {
	try {
		const scanState = await scanSource(sync, environment, signal);
		await removeMissing(sync, environment, signal);
		return { scanState };
	} catch (error) {
		if (error instanceof SyncEnded) return undefined;
		throw error;
	} finally {
		environment.knowledge.wake();
	}
}

/** Sign that the store takes nothing more of a sync. */
class SyncEnded extends Error {}

/** @returns the state for the next scan; `null` where there is none, or where items have to be looked at again. */
async function scanSource(
	sync: ClaimedSync,
	environment: SyncEnvironment,
	signal: AbortSignal,
): Promise<string | null> {
	const { createFile, maxItemBytes, now, scan, knowledge } = environment;
	const { findAddedFormat } = knowledge;
	let state: string | null = null;
	let hasIssues = false;
	const store = (items: readonly ScannedItem[], bytes: number) => {
		hasIssues ||= items.some(({ kind }) => kind === "issue");
		return storeItems(sync, environment, items, bytes);
	};
	const context: ScanContext = {
		...toContext(sync, environment, signal),
		setState(next) {
			state = next;
		},
	};
	const batch = createItemBatch({ createFile, store, maxItemBytes, findAddedFormat, signal, now });
	let count = 0;
	try {
		for await (const item of scan(sync.settings, context)) {
			signal.throwIfAborted();
			count += 1;
			if (count > MAX_SOURCE_ITEMS) throw tooManyItems();
			await batch.add(item);
		}
	} catch (error) {
		// What was found before is stored; the error is what the report shows.
		if (!signal.aborted && !(error instanceof SyncEnded)) await batch.flush().catch(() => undefined);
		throw error;
	} finally {
		if (signal.aborted) await batch.discard();
	}
	await batch.flush();
	return hasIssues ? null : state;
}

function toContext(
	{ id, source, credential, scanState }: ClaimedSync,
	{ syncs, knowledge, gate, readSecret, maxItemBytes }: SyncEnvironment,
	signal: AbortSignal,
): Omit<ScanContext, "setState"> {
	return {
		state: scanState,
		markAllUnchanged: () => markAllUnchanged(id, syncs, signal),
		find: (key) => syncs.findItem(source, key),
		isDocument: (fileName, mediaType) =>
			(knowledge.findAddedFormat(fileName, mediaType) ?? findFormat(fileName, mediaType)) !== undefined,
		fetch: createSourceFetch({ gate, maxBytes: maxItemBytes, signal }),
		readCredential: async (url) => (credential === null ? undefined : readSecret(credential, url)),
		limits: { maxItems: MAX_SOURCE_ITEMS, maxItemBytes, maxItemMs: MAX_BODY_MS },
		signal,
	};
}

async function markAllUnchanged(id: string, syncs: SyncRepository, signal: AbortSignal): Promise<void> {
	for (;;) {
		signal.throwIfAborted();
		const marked = await syncs.markUnchanged(id);
		if (marked === "done") return;
		if (marked === "ended") throw new SyncEnded();
	}
}

async function storeItems(
	{ id }: ClaimedSync,
	{ syncs, knowledge, assertSpace, now }: SyncEnvironment,
	items: readonly ScannedItem[],
	bytes: number,
): Promise<void> {
	if (bytes > 0) await assertSpace(bytes);
	const { maxDocuments, space } = knowledge;
	const stored = await syncs.storeItems({ sync: id, items, maxDocuments, space, now: now() });
	if (stored === "ended") throw new SyncEnded();
	if (stored === "too_many") throw tooManyDocuments(maxDocuments);
	if (typeof stored === "object") throw embeddingSpaceChanged(stored.pinned, space);
	knowledge.wake();
}

async function removeMissing(
	{ id }: ClaimedSync,
	{ syncs, now }: SyncEnvironment,
	signal: AbortSignal,
): Promise<void> {
	for (;;) {
		signal.throwIfAborted();
		const removed = await syncs.removeMissing(id, now());
		if (removed === "done") return;
		if (removed === "ended") throw new SyncEnded();
		if (removed === "source_empty") throw sourceEmpty();
	}
}

const sourceEmpty = (): SourceError =>
	new SourceError("The source has no items any more. Its documents were not deleted.", {
		code: "source_empty",
		hint: "Check the source: its disk, its address, its patterns. If it is meant to be empty, start a sync with `force`.",
	});

const tooManyItems = (): SourceError =>
	new SourceError(`The source has more than ${MAX_SOURCE_ITEMS.toLocaleString("en")} items.`, {
		code: "too_many_items",
		hint: "Divide it into several sources, by their patterns.",
	});
