import type { PassageWords } from "../../../sqlite/knowledge/search/word-index";
import { getTokenizer } from "./cached-tokenizer";

/** Positions between the columns of a passage, so that no phrase goes from one into the next. */
const COLUMN_GAP = 1;

/** Tokens of a passage. */
export interface PassageTokens {
	/** Number of tokens of its title: their positions are 1 to this. */
	readonly titleTokens: number;
	/** Number of tokens of all columns. */
	readonly tokenCount: number;
	/** Positions of each token, from 1. */
	readonly positions: ReadonlyMap<string, readonly number[]>;
}

/** Returns the tokens of passages. */
export function toPassageTokens(passages: readonly PassageWords[]): readonly PassageTokens[] {
	const texts = passages.flatMap(({ title, heading, text }) => [title, heading, text]);
	const tokens = getTokenizer().tokenize(texts);
	return passages.map((_, index) => placeTokens(tokens.slice(3 * index, 3 * index + 3)));
}

function placeTokens(columns: readonly (readonly string[])[]): PassageTokens {
	const positions = new Map<string, number[]>();
	let position = 0;
	let tokenCount = 0;
	for (const column of columns) {
		for (const token of column) {
			position += 1;
			tokenCount += 1;
			const known = positions.get(token);
			if (known === undefined) positions.set(token, [position]);
			else known.push(position);
		}
		position += COLUMN_GAP;
	}
	return { titleTokens: columns[0]?.length ?? 0, tokenCount, positions };
}

/** Writes the positions of tokens, as in `'car':1,5 'wheel':2`. Tokens are letters, digits and marks, which need no escape. */
export function formatPositions({ positions }: PassageTokens): string {
	let text = "";
	for (const [token, list] of positions)
		text += `${text === "" ? "" : " "}'${token}':${list.length === 1 ? list[0] : list.join(",")}`;
	return text;
}

/** Parses the positions of some tokens. */
export function parsePositions(
	text: string,
	isWanted: (token: string) => boolean,
): ReadonlyMap<string, readonly number[]> {
	const positions = new Map<string, readonly number[]>();
	for (const [, token = "", list = ""] of text.matchAll(/'([^']+)':([^ ]+)/g))
		if (isWanted(token)) positions.set(token, list.split(",").map(Number));
	return positions;
}
