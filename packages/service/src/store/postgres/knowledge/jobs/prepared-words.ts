import type { StoredPart } from "../../../../knowledge/repositories/passage-repository";
import type { NewPassages } from "../../../sqlite/knowledge/jobs/store-passages-job";
import type { CollectedWords } from "../word-index/collected-words";
import type { EncodedDocument } from "../word-index/document-words";
import type { CollectDocumentWords } from "../word-index/word-collector";
import { type ReadDocument, toTitle } from "./publish-passages";

/** Words of passages, collected before the transaction that stores them: it would keep other writers waiting meanwhile. */
export interface PreparedWords {
	/** Returns the words of the passages of documents of a knowledge base, as long as these are what was expected. */
	find(knowledgeBase: number, documents: readonly NewPassages[]): CollectedWords | undefined;
}

export const NO_PREPARED_WORDS: PreparedWords = { find: () => undefined };

/** Collects the words of parts. @param documents - of the parts as they are now, by upload. */
export async function prepareWords(
	parts: readonly StoredPart[],
	documents: ReadonlyMap<number, ReadDocument>,
	collect: CollectDocumentWords,
): Promise<PreparedWords> {
	const expected = Map.groupBy(
		parts.flatMap((part) => toExpected(part, documents.get(part.upload))),
		({ knowledgeBase }) => knowledgeBase,
	);
	const prepared = new Map<number, PreparedBase>();
	for (const [base, group] of expected) {
		const expectedDocuments = group.map(({ document }) => document);
		prepared.set(base, { documents: expectedDocuments, words: await collect(expectedDocuments) });
	}
	return {
		find(knowledgeBase, documents) {
			const base = prepared.get(knowledgeBase);
			return base !== undefined && areSame(base.documents, documents) ? base.words : undefined;
		},
	};
}

interface PreparedBase {
	readonly documents: readonly EncodedDocument[];
	readonly words: CollectedWords | undefined;
}

function toExpected(
	part: StoredPart,
	document: ReadDocument | undefined,
): readonly { readonly knowledgeBase: number; readonly document: EncodedDocument }[] {
	if (document === undefined || part.kind === "failed") return [];
	const { first, passages } = part;
	return [
		{ knowledgeBase: document.knowledge_base, document: { first, title: toTitle(document, part), passages } },
	];
}

/** Compares passages by their numbers, which are given once, and by the titles, which may have changed. */
const areSame = (expected: readonly EncodedDocument[], documents: readonly NewPassages[]): boolean =>
	expected.length === documents.length &&
	expected.every(({ first, title, passages }, index) => {
		const compared = documents[index];
		return (
			compared?.first === first && compared.title === title && compared.passages.length === passages.count
		);
	});
