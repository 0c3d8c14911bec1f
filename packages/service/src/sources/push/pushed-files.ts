import type { PushSourceSettings } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../../audit/audit-author";
import { createId } from "../../create-id";
import { type DocumentUploadInput, toNewDocument } from "../../knowledge/ingest/new-document";
import type { Knowledge } from "../../knowledge/knowledge";
import {
	documentNotFound,
	embeddingSpaceChanged,
	knowledgeBaseNotFound,
	tooManyDocuments,
} from "../../knowledge/knowledge-errors";
import type { PushedItem, PushRepository } from "../repositories/push-repository";
import type { SourceRepository } from "../repositories/source-repository";
import { sourceNotFound, tooManySources } from "../source-errors";
import { toAuditDetails, toStoredSource } from "../source-view";
import { MAX_SOURCES } from "../sources";
import { type PushedFile, readFileId, toFileId } from "./pushed-file";

/** File to store. */
export interface PushedUpload {
	readonly key: string;
	readonly hash: string;
	readonly upload: DocumentUploadInput;
}

/**
 * Files that programs outside push into knowledge bases, which are named by id. All of one knowledge base are in one source,
 * so that uploads and documents of other sources are never touched.
 */
export interface PushedFiles {
	/** Lists the files of a knowledge base, by their keys. */
	list(knowledgeBase: string): Promise<readonly PushedFile[]>;
	/** @throws DomainError `document_not_found` for what was not pushed, or is no more. */
	get(fileId: string): Promise<PushedFile>;
	/** Gets a file of a knowledge base. @throws DomainError `document_not_found`, also for a file of another one. */
	getIn(knowledgeBase: string, fileId: string): Promise<PushedFile>;
	/**
	 * Stores a file, or its new content: the document keeps its id, and its passages until the new ones are there.
	 *
	 * @throws DomainError `unsupported_format`, `too_many_documents`, `too_many_sources` and others.
	 */
	store(knowledgeBase: string, file: PushedUpload, author: AuditAuthor): Promise<PushedFile>;
	/** Removes files of a knowledge base with their documents. Ids of anything else are left out. */
	remove(knowledgeBase: string, fileIds: readonly string[]): Promise<void>;
}

export interface PushedFilesParts {
	readonly sources: SourceRepository;
	readonly pushes: PushRepository;
	readonly knowledge: Pick<Knowledge, "wake" | "maxDocuments" | "space" | "findAddedFormat">;
}

const SETTINGS: PushSourceSettings = { kind: "push" };
const SOURCE_NAME = "Pushed files";
const KEYS_PER_REMOVAL = 200;

export function createPushedFiles(parts: PushedFilesParts): PushedFiles {
	const { pushes, knowledge } = parts;
	const ensureSource = createSourceKeeper(parts);
	async function get(fileId: string): Promise<PushedFile> {
		const { source, key } = readFileId(fileId) ?? {};
		const item = source === undefined || key === undefined ? undefined : await pushes.find(source, key);
		if (source === undefined || item === undefined) throw documentNotFound(fileId);
		return toPushedFile(source, item);
	}
	return {
		get,
		async getIn(knowledgeBase, fileId) {
			const source = await pushes.findSource(knowledgeBase);
			if (source === undefined || readFileId(fileId)?.source !== source) throw documentNotFound(fileId);
			return get(fileId);
		},
		async list(knowledgeBase) {
			const source = await pushes.findSource(knowledgeBase);
			if (source === undefined) return [];
			return (await pushes.list(source)).map((item) => toPushedFile(source, item));
		},
		async store(knowledgeBase, file, author) {
			const source = await ensureSource(knowledgeBase, author);
			await storeFile(parts, source, file);
			knowledge.wake();
			const item = await pushes.find(source, file.key);
			if (item === undefined) throw documentNotFound(toFileId(source, file.key));
			return toPushedFile(source, item);
		},
		async remove(knowledgeBase, fileIds) {
			const source = await pushes.findSource(knowledgeBase);
			const files = fileIds.flatMap((id) => readFileId(id) ?? []);
			const keys = files.flatMap((file) => (file.source === source ? [file.key] : []));
			if (source === undefined) return;
			for (let start = 0; start < keys.length; start += KEYS_PER_REMOVAL)
				await pushes.remove({
					...{ source, sync: createId("sync"), now: clock.now() },
					keys: keys.slice(start, start + KEYS_PER_REMOVAL),
				});
			knowledge.wake();
		},
	};
}

const toPushedFile = (source: string, { key, version, ...item }: PushedItem): PushedFile => ({
	...item,
	...{ id: toFileId(source, key), key, hash: version },
});

type EnsureSource = (knowledgeBase: string, author: AuditAuthor) => Promise<string>;

/** Finds the source of a knowledge base, or creates it: once, however many files arrive at the same time. */
function createSourceKeeper(parts: PushedFilesParts): EnsureSource {
	const creating = new Map<string, Promise<string>>();
	return async (knowledgeBase, author) => {
		const found = await parts.pushes.findSource(knowledgeBase);
		if (found !== undefined) return found;
		const current =
			creating.get(knowledgeBase) ??
			createSource(parts, knowledgeBase, author).finally(() => creating.delete(knowledgeBase));
		creating.set(knowledgeBase, current);
		return current;
	};
}

async function createSource(
	parts: PushedFilesParts,
	knowledgeBase: string,
	author: AuditAuthor,
): Promise<string> {
	const { sources, pushes } = parts;
	// Another request may have made it between the look and now.
	const existing = await pushes.findSource(knowledgeBase);
	if (existing !== undefined) return existing;
	const input = { settings: SETTINGS, name: SOURCE_NAME };
	const stored = { ...toStoredSource(knowledgeBase, input), next_sync_at: null };
	const details = toAuditDetails(stored);
	const audit = { ...author, action: "source.created", target: stored.id, details } as const;
	const inserted = await sources.insert(stored, MAX_SOURCES, { audit });
	if (inserted === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBase);
	if (inserted === "too_many") throw tooManySources(MAX_SOURCES);
	// Another instance has made it at the same moment.
	return inserted === "has_pushes" ? createSource(parts, knowledgeBase, author) : stored.id;
}

async function storeFile(
	{ pushes, knowledge }: PushedFilesParts,
	source: string,
	{ key, hash, upload }: PushedUpload,
): Promise<void> {
	const { maxDocuments, space, findAddedFormat } = knowledge;
	const document = { ...toNewDocument({ ...upload, source: key }, findAddedFormat), source: key };
	const stored = await pushes.store({
		...{ source, sync: createId("sync"), now: clock.now() },
		...{ key, version: hash, document, maxDocuments, space },
	});
	if (stored === "ended") throw sourceNotFound(source);
	if (stored === "too_many") throw tooManyDocuments(maxDocuments);
	if (typeof stored === "object") throw embeddingSpaceChanged(stored.pinned, space);
}
