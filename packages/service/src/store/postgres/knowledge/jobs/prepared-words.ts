import type { PassagesPart, StoredPart } from "../../../../knowledge/repositories/passage-repository";
import { toPartMatch } from "../../../sqlite/knowledge/jobs/store-passages-job";
import { type CollectedWords, collectWords } from "../word-index/collected-words";
import { type DocumentPassages, toNewWords } from "./insert-passages";
import { type ReadDocument, toTitle } from "./publish-passages";

/** Words of passages, collected before the transaction that stores them: it would keep other writers waiting meanwhile. */
export interface PreparedWords {
	/** Returns the words of the passages of documents of a knowledge base, as long as these are what was expected. */
	find(knowledgeBase: number, documents: readonly DocumentPassages[]): CollectedWords | undefined;
}

export const NO_PREPARED_WORDS: PreparedWords = { find: () => undefined };

/** Collects the words of parts. @param documents - of the parts as they are now, by upload. */
export async function prepareWords(
	parts: readonly StoredPart[],
	documents: ReadonlyMap<number, ReadDocument>,
): Promise<PreparedWords> {
	const expected = Map.groupBy(
		parts.flatMap((part) => toPassages(part, documents.get(part.upload))),
		({ knowledgeBase }) => knowledgeBase,
	);
	const prepared = new Map<number, PreparedBase>();
	for (const [base, group] of expected) {
		const passages = group.map(({ passages }) => passages);
		prepared.set(base, { passages, words: await collectWords(passages.flatMap(toNewWords)) });
	}
	return {
		find(knowledgeBase, passages) {
			const base = prepared.get(knowledgeBase);
			return base !== undefined && areSame(base.passages, passages) ? base.words : undefined;
		},
	};
}

interface PreparedBase {
	readonly passages: readonly DocumentPassages[];
	readonly words: CollectedWords;
}

function toPassages(
	part: StoredPart,
	document: ReadDocument | undefined,
): readonly { readonly knowledgeBase: number; readonly passages: DocumentPassages }[] {
	if (document === undefined || part.kind === "failed") return [];
	const passages = decode(part);
	const { number, knowledge_base: knowledgeBase } = document;
	const title = toTitle(document, part);
	return [{ knowledgeBase, passages: { document: number, first: part.first, title, passages } }];
}

/** Decodes the passages of a part; none where they cannot be decoded, as these are not stored. */
function decode(part: PassagesPart): DocumentPassages["passages"] {
	const match = toPartMatch({ kind: "store", vectors: undefined }, part);
	return match.kind === "store" ? match.passages : [];
}

/** Compares passages by their numbers, which are given once, and by the titles, which may have changed. */
const areSame = (one: readonly DocumentPassages[], other: readonly DocumentPassages[]): boolean =>
	one.length === other.length &&
	one.every(({ first, title, passages }, index) => {
		const compared = other[index];
		return (
			compared?.first === first && compared.title === title && compared.passages.length === passages.length
		);
	});
