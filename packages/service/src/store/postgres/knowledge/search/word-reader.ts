import type { WorkspaceCache } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import {
	addRecords,
	createPassageList,
	EMPTY_LIST,
	mergeRepeated,
	type PassageList,
} from "../word-index/passage-list";
import { findPhrase } from "./find-phrases";
import { type QueryTokens, toBeginningOf, toWholeTokens } from "./query-tokens";
import { readVocabularies } from "./read-vocabularies";
import { readBeginnings, readTokens, type WordRecords } from "./read-word-lists";
import type { Vocabulary } from "./vocabulary-cache";

/** Reads which passages have the words of queries, each word once. */
export interface WordReader {
	readonly transaction: WorkspaceTransaction;
	/** Numbers. */
	readonly knowledgeBases: readonly number[];
	/** Reads the passages with these words, unless they were read before. */
	load(words: readonly QueryTokens[]): Promise<void>;
	/**
	 * Reads the words of the passages, those of passages that were deleted not long ago among them; `undefined` where that would
	 * take more time than looking words up.
	 */
	readVocabularies(): Promise<readonly Vocabulary[] | undefined>;
	/** Returns the passages of a knowledge base with a word that was loaded. */
	find(knowledgeBase: number, word: QueryTokens): PassageList;
	/** Returns the passages of all of the knowledge bases with a word that was loaded, by knowledge base. */
	findAll(word: QueryTokens): readonly PassageList[];
}

/** Lists of words or beginnings, by knowledge base. */
type WordLists = Map<string, ReadonlyMap<number, PassageList>>;

const NO_LISTS: ReadonlyMap<number, PassageList> = new Map();

/** Passages whose words are read. */
export interface ReadPassages {
	/** Numbers of the knowledge bases. */
	readonly knowledgeBases: readonly number[];
	/** Numbers of passages of theirs that are gone; see `word_segments`. */
	readonly deleted: readonly number[];
}

/** Creates a reader of the words of the passages of knowledge bases. @param cache - left out: nothing is remembered. */
export function createWordReader(
	transaction: WorkspaceTransaction,
	{ knowledgeBases, deleted: gone }: ReadPassages,
	cache: WorkspaceCache | undefined,
): WordReader {
	const deleted = new Set(gone);
	const tokens: WordLists = new Map();
	const beginnings: WordLists = new Map();
	const phrases: WordLists = new Map();
	let vocabularies: Promise<readonly Vocabulary[] | undefined> | undefined;

	async function loadPhrase(phrase: QueryTokens): Promise<void> {
		const beginning = toBeginningOf(phrase);
		const found = new Map<number, PassageList>();
		for (const knowledgeBase of knowledgeBases) {
			const lists = toWholeTokens(phrase).map((token) => tokens.get(token)?.get(knowledgeBase) ?? EMPTY_LIST);
			if (beginning !== undefined) lists.push(beginnings.get(beginning)?.get(knowledgeBase) ?? EMPTY_LIST);
			const candidates = intersect(lists);
			const list = await findPhrase(transaction, phrase, candidates);
			found.set(knowledgeBase, list);
		}
		phrases.set(toKey(phrase), found);
	}

	function findLists(word: QueryTokens): ReadonlyMap<number, PassageList> {
		if (word.tokens.length > 1) return phrases.get(toKey(word)) ?? NO_LISTS;
		const [token = ""] = word.tokens;
		return (word.word.isPrefix ? beginnings : tokens).get(token) ?? NO_LISTS;
	}
	const find = (knowledgeBase: number, word: QueryTokens): PassageList =>
		findLists(word).get(knowledgeBase) ?? EMPTY_LIST;

	return {
		transaction,
		knowledgeBases,
		async load(words) {
			const newTokens = excludeKnown(words.flatMap(toWholeTokens), tokens);
			const withTokens = await readTokens(transaction, knowledgeBases, newTokens);
			for (const [token, lists] of toLists(newTokens, withTokens, deleted)) tokens.set(token, lists);
			const newBeginnings = excludeKnown(
				words.flatMap((word) => toBeginningOf(word) ?? []),
				beginnings,
			);
			const withBeginnings = await readBeginnings(transaction, knowledgeBases, newBeginnings);
			for (const [beginning, lists] of toLists(newBeginnings, withBeginnings, deleted))
				beginnings.set(beginning, new Map([...lists].map(([base, list]) => [base, mergeRepeated(list)])));
			for (const word of words)
				if (word.tokens.length > 1 && !phrases.has(toKey(word))) await loadPhrase(word);
		},
		async readVocabularies() {
			vocabularies ??= cache && readVocabularies(transaction, knowledgeBases, cache);
			return vocabularies;
		},
		find,
		findAll: (word) => knowledgeBases.map((knowledgeBase) => find(knowledgeBase, word)),
	};
}

const toKey = ({ word, tokens }: QueryTokens): string => `${tokens.join(" ")}${word.isPrefix ? "*" : ""}`;

const excludeKnown = (words: readonly string[], known: WordLists): readonly string[] => [
	...new Set(words.filter((word) => !known.has(word))),
];

/** Converts what was found of each of these words. */
function toLists(
	words: readonly string[],
	found: readonly WordRecords[],
	deleted: ReadonlySet<number>,
): WordLists {
	const byWord = Map.groupBy(found, ({ word }) => word);
	return new Map(
		words.map((word) => {
			const byBase = Map.groupBy(byWord.get(word) ?? [], ({ knowledgeBase }) => knowledgeBase);
			return [word, new Map([...byBase].map(([base, records]) => [base, toList(records, deleted)]))];
		}),
	);
}

function toList(found: readonly WordRecords[], deleted: ReadonlySet<number>): PassageList {
	const list = createPassageList();
	for (const { records } of found) addRecords(list, records, deleted);
	return list;
}

/** Returns the numbers that all lists have. */
function intersect([first = EMPTY_LIST, ...others]: readonly PassageList[]): readonly number[] {
	const sets = others.map(({ numbers }) => new Set(numbers));
	return first.numbers.filter((number) => sets.every((set) => set.has(number)));
}
