import { createHash } from "node:crypto";
import type { EmbeddingSpace } from "@stemma/routing";
import { createId } from "../../create-id";
import { encodePassages } from "../../knowledge/ingest/encoded-passages";
import type { NewDocument } from "../../knowledge/repositories/document-repository";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import type { PassagesPart } from "../../knowledge/repositories/passage-repository";
import type { ClaimedUpload, ClaimUploadsInput } from "../../knowledge/repositories/upload-repository";

/** An empty store of knowledge that a contract is tried on. */
export interface OpenedKnowledge {
	readonly repositories: KnowledgeRepositories;
	/** Adds a knowledge base, and returns its id. */
	addKnowledgeBase(): Promise<string>;
	/** Number of records in the audit log. */
	countAudits(): Promise<number>;
	close(): Promise<void>;
}

export const space: EmbeddingSpace = { base_url: "https://vectors.example/v1", model: "small" };

export function toNewDocument(text: string, options: Partial<NewDocument> = {}): NewDocument {
	const sha256 = createHash("sha256").update(text).digest("hex");
	const content = new TextEncoder().encode(text);
	const names = { givenTitle: null, title: "T", source: null, fileName: null };
	return { id: createId("doc"), ...names, format: "text", content, sha256, metadata: null, ...options };
}

export interface AddOptions {
	/** Default: no vectors are made. */
	readonly space?: EmbeddingSpace | null;
	readonly maxDocuments?: number;
}

export const addTo = (
	{ documents }: KnowledgeRepositories,
	knowledgeBase: string,
	added: readonly NewDocument[],
	{ space = null, maxDocuments = 1_000 }: AddOptions = {},
) => documents.add({ knowledgeBase, documents: added, maxDocuments, space, now: 1 });

/** Claims all that waits. */
export const claimFrom = (
	{ uploads }: KnowledgeRepositories,
	options: Partial<ClaimUploadsInput> = {},
): Promise<readonly ClaimedUpload[]> =>
	uploads.claim({
		...{ hasVectors: false, after: 0, excluded: [], maxDocuments: 100, maxBytes: 1_000_000, now: 2 },
		...options,
	});

export const toText = ({ content }: ClaimedUpload): string => new TextDecoder().decode(content);

/** Parts of an upload, with one passage for each text and each vector. */
export async function toParts(
	{ passages }: KnowledgeRepositories,
	upload: number,
	texts: readonly string[],
	vectors?: readonly (readonly number[])[],
): Promise<readonly PassagesPart[]> {
	const range = { first: await passages.reserve(texts.length), count: texts.length };
	return texts.flatMap((text, index) =>
		[...encodePassages([{ place: { start: 0, end: text.length }, text }])].map((passages) => ({
			...{ kind: "passages" as const, upload, title: "Read", range, first: range.first + index, passages },
			...(vectors && { vectors: { space, values: [Float32Array.from(vectors[index] ?? [])] } }),
		})),
	);
}

/** Adds documents of one passage each, and stores their passages. */
export async function ingest(
	repositories: KnowledgeRepositories,
	knowledgeBase: string,
	documents: readonly NewDocument[],
	vectors?: readonly (readonly number[])[],
): Promise<readonly string[]> {
	const added = await addTo(repositories, knowledgeBase, documents, { space: vectors ? space : null });
	const claimed = await claimFrom(repositories, { hasVectors: vectors !== undefined });
	for (const [index, upload] of claimed.entries()) {
		const vector = vectors?.[index];
		const parts = await toParts(repositories, upload.number, [toText(upload)], vector && [vector]);
		await repositories.passages.store({ parts, now: 3 });
	}
	return typeof added === "object" && "documents" in added ? added.documents.map(({ id }) => id) : [];
}
