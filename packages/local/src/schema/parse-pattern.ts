/** Part of a regular expression. */
export type PatternNode =
	/** One character: itself, or any that a class, an escape or a dot stands for, as the source of one. */
	| { readonly kind: "character"; readonly character: string }
	| { readonly kind: "class"; readonly source: string }
	| { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
	| { readonly kind: "choice"; readonly options: readonly PatternNode[] }
	| { readonly kind: "repeat"; readonly part: PatternNode; readonly min: number; readonly max: number }
	| { readonly kind: "assertion"; readonly assertion: Assertion }
	| {
			readonly kind: "lookaround";
			readonly part: PatternNode;
			readonly isBehind: boolean;
			readonly isNegative: boolean;
	  };

export type Assertion = "^" | "$" | "\\b" | "\\B";

const ESCAPE =
	/\\(?:u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[\s\S])/uy;
const CLASS = /\[(?:\\[\s\S]|[^\\\]])*\]/uy;
const GROUP = /\((?:\?(?::|<?[=!]|<[^>]*>)|(?!\?))/uy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/uy;
/** Groups within each other; each takes its part of the stack. */
const MAX_GROUP_DEPTH = 200;

/**
 * Parses a regular expression that `new RegExp(pattern, "u")` accepts.
 *
 * @throws Error for what cannot be matched in linear time: back references; and for modifiers (`(?i:`).
 */
export function parsePattern(pattern: string): PatternNode {
	return parseChoice({ pattern, at: 0, depth: 0 });
}

/** Place in a pattern. */
interface Cursor {
	readonly pattern: string;
	at: number;
	/** Number of groups around it. */
	depth: number;
}

function match(cursor: Cursor, expression: RegExp): RegExpExecArray | undefined {
	expression.lastIndex = cursor.at;
	const found = expression.exec(cursor.pattern) ?? undefined;
	if (found !== undefined) cursor.at = expression.lastIndex;
	return found;
}

function parseChoice(cursor: Cursor): PatternNode {
	const options = [parseSequence(cursor)];
	while (cursor.pattern[cursor.at] === "|") {
		cursor.at += 1;
		options.push(parseSequence(cursor));
	}
	const [only] = options;
	return options.length === 1 && only !== undefined ? only : { kind: "choice", options };
}

function parseSequence(cursor: Cursor): PatternNode {
	const { pattern } = cursor;
	const parts: PatternNode[] = [];
	while (cursor.at < pattern.length && pattern[cursor.at] !== "|" && pattern[cursor.at] !== ")")
		parts.push(parseTerm(cursor));
	return { kind: "sequence", parts };
}

function parseTerm(cursor: Cursor): PatternNode {
	const part = parseAtom(cursor);
	const quantifier = match(cursor, QUANTIFIER);
	if (quantifier === undefined) return part;
	const [sign = "", minText, comma, maxText] = quantifier;
	const min = minText === undefined ? (sign.startsWith("+") ? 1 : 0) : Number(minText);
	const max = minText === undefined ? (sign.startsWith("?") ? 1 : Number.POSITIVE_INFINITY) : min;
	return { kind: "repeat", part, min, max: comma === undefined ? max : Number(maxText || "Infinity") };
}

function parseAtom(cursor: Cursor): PatternNode {
	const character = String.fromCodePoint(cursor.pattern.codePointAt(cursor.at) ?? 0);
	if (character === "(") return parseGroup(cursor);
	if (character === "[") return { kind: "class", source: match(cursor, CLASS)?.[0] ?? "" };
	if (character === "\\") return toEscape(match(cursor, ESCAPE)?.[0] ?? "");
	cursor.at += character.length;
	if (character === ".") return { kind: "class", source: "." };
	return character === "^" || character === "$"
		? { kind: "assertion", assertion: character }
		: { kind: "character", character };
}

function parseGroup(cursor: Cursor): PatternNode {
	const opening = match(cursor, GROUP)?.[0];
	if (opening === undefined) throw new Error("it has modifiers, which are not supported");
	cursor.depth += 1;
	if (cursor.depth > MAX_GROUP_DEPTH)
		throw new Error(`it has more than ${MAX_GROUP_DEPTH} groups within each other`);
	const part = parseChoice(cursor);
	cursor.depth -= 1;
	// The parenthesis at the end.
	cursor.at += 1;
	const look = /^\(\?(<?)([=!])/.exec(opening);
	if (look === null) return part;
	return { kind: "lookaround", part, isBehind: look[1] === "<", isNegative: look[2] === "!" };
}

function toEscape(source: string): PatternNode {
	if (source === "\\b" || source === "\\B") return { kind: "assertion", assertion: source };
	if (/^\\(?:[1-9]|k)/.test(source))
		throw new Error("it refers back to a group, which cannot be checked in bounded time");
	return { kind: "class", source };
}
