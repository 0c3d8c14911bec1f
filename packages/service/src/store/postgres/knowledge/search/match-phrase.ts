import { type QueryTokens, toBeginningOf } from "./query-tokens";

/** Positions of the tokens of a passage. */
export type TokenPositions = ReadonlyMap<string, readonly number[]>;

/** Creates what finds where a passage has a phrase: positions of its first tokens, in order. */
export function createPositionFinder(phrase: QueryTokens): (positions: TokenPositions) => readonly number[] {
	const beginning = toBeginningOf(phrase);
	const last = phrase.tokens.length - 1;
	return (positions) => {
		const lists = phrase.tokens.map(
			(token, index) =>
				new Set(
					index === last && beginning !== undefined
						? listWithBeginning(positions, beginning)
						: positions.get(token),
				),
		);
		return [...(lists[0] ?? [])].filter((position) =>
			lists.every((list, distance) => list.has(position + distance)),
		);
	};
}

const listWithBeginning = (positions: TokenPositions, beginning: string): readonly number[] =>
	[...positions].flatMap(([token, list]) => (token.startsWith(beginning) ? list : []));
