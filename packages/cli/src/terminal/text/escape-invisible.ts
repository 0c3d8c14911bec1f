/** A part of text that is never torn: a character with its marks, or what is written for one that cannot be seen. */
export interface Piece {
	readonly text: string;
	/** Largest width in columns, on any terminal. */
	readonly columns: number;
	/** Number of characters of the text that it represents. */
	readonly characters: number;
}

/**
 * JSON, piece by piece, so that different JSON never looks alike for what is not seen or stands in for a quote: these are
 * written as `\u{3164}`, many of them as `\{79 × U+3164}` and `\{12 blanks}`. JSON itself has no `\{`, so nobody can write
 * that into a value.
 */
export const toJsonPieces = (json: string): Piece[] =>
	Array.from(json.matchAll(JSON_PARTS), ([part]) => toPieces(part, true)).flat();

/** One line of text for people: what cannot be seen, or turns around what stands beside it, is written as `\u{202e}`. */
export const toTextPieces = (line: string): Piece[] =>
	Array.from(line.matchAll(PARTS), ([part]) => toPieces(part, false)).flat();

/** Words that are written from the right, short enough for a row; their punctuation alone is written as escapes. */
const RTL_WORD =
	"(?:(?=[\\p{L}\\p{N}])[\\u0590-\\u08ff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]\\p{M}{0,2}){1,8}";
const RTL_CHARACTER = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const INVISIBLE = "[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}]";
const COMMON_PARTS = `(${INVISIBLE})\\1{4,}|${RTL_WORD}|\\P{M}\\p{M}+|.`;
const PARTS = new RegExp(COMMON_PARTS, "gsu");
const JSON_PARTS = new RegExp(`\\\\(?:u[0-9a-f]{4}|.)| {5,}|${COMMON_PARTS}`, "gsu");

const STARTS_INVISIBLE = new RegExp(`^${INVISIBLE}`, "u");
const RTL_WORD_ONLY = new RegExp(`^${RTL_WORD}$`, "u");
/** Quotes and backslashes that are not those of JSON, and blanks that are none of ASCII. */
const IS_LOOKALIKE =
	/^(?:[\u02ba\u02dd\u02ee\u02f5\u02f6\u1cd3\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u275d\u275e\u2760\u3003\u301d-\u301f\u2216\u2572\u29f5\u29f9\ufe68\u{1d20f}\u{1d23b}\u{1f676}-\u{1f678}]|(?! )\p{Zs})/u;
/** Pattern of characters that cross out or frame the one before them. */
const IS_OVERLAY = /^[\u0334-\u0338\u20d0-\u20f0\p{Me}]/u;

function toPieces(part: string, isExact: boolean): Piece[] {
	if (/^[ -~]$/.test(part)) return [{ text: part, columns: 1, characters: 1 }];
	const [first = "", second, ...more] = part;
	if (RTL_WORD_ONLY.test(part) && !(isExact && part.normalize("NFC") !== part)) return [isolate(part)];
	if (second === undefined) return [mustEscape(part, isExact) ? escaped(part) : plain(part)];
	if (first === "\\" && isExact) return [plain(part)];
	if (first === " " && second === " ") return [mark(`\\{${part.length} blanks}`, part.length)];
	if (STARTS_INVISIBLE.test(first) && first === second)
		return [mark(`\\{${more.length + 2} × U+${toHex(first).toUpperCase()}}`, more.length + 2)];
	return withMarks(first, [second, ...more], isExact);
}

/** A letter takes two marks; what is more would reach into other rows. */
function withMarks(base: string, marks: readonly string[], isExact: boolean): Piece[] {
	const isBase = /\p{L}/u.test(base) && !mustEscape(base, isExact);
	const kept = isBase ? marks.findIndex((_, index) => !isKept(base, marks.slice(0, index + 1), isExact)) : 0;
	const end = kept === -1 ? marks.length : kept;
	const head = base + marks.slice(0, end).join("");
	return [...(end === 0 ? toPieces(base, isExact) : [plain(head)]), ...marks.slice(end).map(escaped)];
}

function isKept(base: string, marks: readonly string[], isExact: boolean): boolean {
	const mark = marks.at(-1) ?? "";
	const text = base + marks.join("");
	if (marks.length > 2 || STARTS_INVISIBLE.test(mark) || IS_OVERLAY.test(mark)) return false;
	return !isExact || text.normalize("NFC") === text;
}

function mustEscape(character: string, isExact: boolean): boolean {
	if (STARTS_INVISIBLE.test(character) || /^\p{M}/u.test(character) || RTL_CHARACTER.test(character))
		return true;
	if (!isExact) return false;
	return IS_LOOKALIKE.test(character) || character.normalize(toNormalForm(character)) !== character;
}

/** Letters and digits of another width or style are told from the usual ones. */
const toNormalForm = (character: string): "NFKC" | "NFC" =>
	/[\p{L}\p{N}"\\＂＼]/u.test(character) ? "NFKC" : "NFC";

const toHex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

const escaped = (character: string): Piece => mark(`\\u{${toHex(character)}}`, 1);

const mark = (text: string, characters: number): Piece => ({ ...plain(text), characters });

/** Outside of ASCII some terminals take two columns. */
function plain(text: string): Piece {
	const characters = [...text];
	const wide = characters.filter((character) => character > "\u007f").length;
	return { text, columns: characters.length + wide, characters: characters.length };
}

/** Isolates a word, so that a terminal which reverses the direction of words does it in that word alone. */
const isolate = (word: string): Piece => ({ ...plain(word), text: `\u2067${word}\u2069` });
