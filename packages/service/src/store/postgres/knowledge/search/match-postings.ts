import type { Posting } from "./postings";
import { type QueryTokens, toBeginningOf } from "./query-tokens";

/** Finds where a passage has a word: positions of its first tokens, in order. */
export type PositionFinder = (posting: Posting) => readonly number[];

/** Creates the finder of a word, which remembers what tokens begin like it. */
export function createPositionFinder(word: QueryTokens): PositionFinder {
	const [first, ...others] = word.tokens;
	if (first === undefined) return () => [];
	const beginning = toBeginningOf(word);
	const listEnd = beginning === undefined ? undefined : createBeginningFinder(beginning);
	if (others.length === 0) return listEnd ?? (({ positions }) => positions.get(first) ?? []);
	return (posting) => {
		const listPositions = (token: string, index: number): readonly number[] =>
			listEnd !== undefined && index === word.tokens.length - 1
				? listEnd(posting)
				: (posting.positions.get(token) ?? []);
		const lists = word.tokens.map((token, index) => new Set(listPositions(token, index)));
		return [...(lists[0] ?? [])].filter((position) =>
			lists.every((list, distance) => list.has(position + distance)),
		);
	};
}

function createBeginningFinder(beginning: string): PositionFinder {
	const known = new Map<string, boolean>();
	const beginsAlike = (token: string): boolean => {
		const answer = known.get(token) ?? token.startsWith(beginning);
		known.set(token, answer);
		return answer;
	};
	return ({ positions }) => [...positions].flatMap(([token, list]) => (beginsAlike(token) ? list : []));
}
