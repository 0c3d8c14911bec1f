import { addToHash, createPieceTable, toHash } from "./piece-table";
import type { Tokenizer } from "./tokenizer";

/** Characters of ASCII that are in tokens; all others may be. */
const ASCII_PARTS = Uint8Array.from({ length: 0x80 }, (_, code) =>
	/[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const isPart = (codeUnit: number): boolean => codeUnit >= 0x80 || ASCII_PARTS[codeUnit] === 1;
/** Pieces that are one token each, whatever stands beside them. */
const PLAIN_PIECE = /^[0-9A-Za-z]+$/;
/** Longer pieces of texts, as of scripts without blanks, hardly come again. */
const MAX_REMEMBERED_CHARACTERS = 40;

/** Tokens with a number each, and the tokens of pieces of texts that it was asked for before. */
export interface TokenDictionary {
	/** Tokens by their numbers; there are more with each call. */
	readonly tokens: readonly string[];
	/** Number of pieces that it remembers. */
	readonly size: number;
	/** Returns the numbers of the tokens of each text, in their order. */
	toNumbers(texts: readonly string[]): readonly (readonly number[])[];
}

/** Creates a dictionary that is empty. @param tokenizer - asked for pieces that are new. */
export function createTokenDictionary(tokenizer: Tokenizer): TokenDictionary {
	const tokens: string[] = [];
	const numbers = new Map<string, number>();
	const known = createPieceTable<PieceNumbers>();

	function toNumber(token: string): number {
		const found = numbers.get(token);
		if (found !== undefined) return found;
		numbers.set(token, tokens.length);
		return tokens.push(token) - 1;
	}

	/** Asks for pieces, and remembers the short ones. */
	function learn(pieces: readonly string[]): readonly PieceNumbers[] {
		const learned = tokenizePieces(tokenizer, pieces).map((list) => toPieceNumbers(list.map(toNumber)));
		for (const [index, piece] of pieces.entries())
			if (piece.length <= MAX_REMEMBERED_CHARACTERS) known.add(piece, toHash(piece), learned[index] ?? []);
		return learned;
	}

	/** Lists the numbers of the tokens of a text, and of pieces that are new. Most of the time is spent here. */
	function listNumbers(text: string, findUnknown: (piece: string) => number): readonly number[] {
		const list: number[] = [];
		const { length } = text;
		for (let at = 0; at < length; at++) {
			if (!isPart(text.charCodeAt(at))) continue;
			const start = at;
			let hash = 0;
			for (; at < length && isPart(text.charCodeAt(at)); at++) hash = addToHash(hash, text.charCodeAt(at));
			addNumbers(list, known.find(text, start, at, hash) ?? ~findUnknown(text.slice(start, at)));
		}
		return list;
	}

	return {
		tokens,
		get size() {
			return known.size;
		},
		toNumbers(texts) {
			/** New pieces with their places. */
			const unknown = new Map<string, number>();
			const findUnknown = (piece: string): number => {
				const place = unknown.get(piece) ?? unknown.size;
				unknown.set(piece, place);
				return place;
			};
			const found = texts.map((text) => listNumbers(text, findUnknown));
			if (unknown.size === 0) return found;
			const learned = learn([...unknown.keys()]);
			return found.map((list) => replacePlaces(list, learned));
		},
	};
}

/** Numbers of the tokens of a piece: mostly it is one. */
type PieceNumbers = number | readonly number[];

const toPieceNumbers = (numbers: readonly number[]): PieceNumbers =>
	numbers.length === 1 ? (numbers[0] ?? numbers) : numbers;

function addNumbers(list: number[], numbers: PieceNumbers): void {
	if (typeof numbers === "number") list.push(numbers);
	else for (const number of numbers) list.push(number);
}

/** Puts the numbers of new pieces where their places are, which are negative. */
function replacePlaces(list: readonly number[], learned: readonly PieceNumbers[]): readonly number[] {
	const replaced: number[] = [];
	for (const number of list) addNumbers(replaced, number >= 0 ? number : (learned[~number] ?? []));
	return replaced;
}

/** Returns the tokens of pieces. Plain ones are one text together, which takes half the time. */
function tokenizePieces(tokenizer: Tokenizer, pieces: readonly string[]): readonly (readonly string[])[] {
	const isPlain = (piece: string): boolean =>
		piece.length <= MAX_REMEMBERED_CHARACTERS && PLAIN_PIECE.test(piece);
	const [plain = [], ...others] = tokenizer.tokenize([
		pieces.filter(isPlain).join(" "),
		...pieces.filter((piece) => !isPlain(piece)),
	]);
	let plainTaken = 0;
	let othersTaken = 0;
	return pieces.map((piece) =>
		isPlain(piece) ? plain.slice(plainTaken, ++plainTaken) : (others[othersTaken++] ?? []),
	);
}
