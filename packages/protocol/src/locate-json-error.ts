/** Location at which a text stops being valid JSON. */
export interface JsonErrorLocation {
	/** Problem there, without any of the text: it may be secret. */
	readonly problem: string;
	/** The problem with its line and column. */
	readonly message: string;
	/** Position from 0, in UTF-16 code units. */
	readonly position: number;
	/** Line number, from 1. */
	readonly line: number;
	/** Column number, from 1. */
	readonly column: number;
}

type Expected = keyof typeof EXPLANATIONS;

const EXPLANATIONS = {
	value: "a value is expected",
	"value or ]": "a value or ] is expected",
	"key or }": "a property name in double quotes or } is expected",
	key: "a property name in double quotes is expected",
	":": "a colon is expected",
	", or }": "a comma or } is expected",
	", or ]": "a comma or ] is expected",
	end: "the end is expected, but more follows",
};

const TOKEN = /[{}[\]:,]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;

/** Finds where a text that `JSON.parse` refuses goes wrong; engines tell it only at times, and quote the text. */
export function locateJsonError(text: string): JsonErrorLocation {
	const open: ("{" | "[")[] = [];
	let expected: Expected = "value";
	let position = skipSpace(text, 0);
	if (position === text.length) return toLocation(text, position, "it is empty");
	while (position < text.length) {
		const token = readToken(text, position);
		const next: Expected | undefined =
			token === undefined ? undefined : nextExpected(expected, token.text, open);
		if (token === undefined || next === undefined) return toLocation(text, position, EXPLANATIONS[expected]);
		if (token.problem !== undefined) return toLocation(text, token.end, token.problem);
		expected = next;
		position = skipSpace(text, token.end);
	}
	return toLocation(text, position, "it ends too early");
}

function skipSpace(text: string, from: number): number {
	SPACE.lastIndex = from;
	SPACE.exec(text);
	return SPACE.lastIndex;
}

/** A token of JSON; of a string, its quote stands for it. */
interface Token {
	readonly text: string;
	/** Position behind it, or of the problem that it has. */
	readonly end: number;
	readonly problem?: string;
}

function readToken(text: string, position: number): Token | undefined {
	if (text[position] === '"') return readString(text, position);
	TOKEN.lastIndex = position;
	const match = TOKEN.exec(text);
	return match === null ? undefined : { text: match[0], end: TOKEN.lastIndex };
}

/** Reads a string without a regular expression for the whole, which takes too much memory for a string of megabytes. */
function readString(text: string, start: number): Token {
	let end = start + 1;
	while (end < text.length) {
		const character = text[end] ?? "";
		if (character === '"') return { text: '"', end: end + 1 };
		if (character < " ")
			return { text: '"', end, problem: "a control character in a string must be escaped" };
		ESCAPE.lastIndex = end;
		if (character !== "\\") end += 1;
		else if (ESCAPE.test(text)) end = ESCAPE.lastIndex;
		else return { text: '"', end, problem: "a backslash is followed by an unknown escape" };
	}
	return { text: '"', end: start, problem: "a string has no closing quote" };
}

/** Returns what is expected after a token; `undefined` where the token is not allowed. */
function nextExpected(expected: Expected, token: string, open: ("{" | "[")[]): Expected | undefined {
	if (token === ",") return expected === ", or }" ? "key" : expected === ", or ]" ? "value" : undefined;
	if (token === ":") return expected === ":" ? "value" : undefined;
	if (token === "}" || token === "]") return expected.endsWith(token) ? close(open) : undefined;
	if (expected === "key" || expected === "key or }") return token === '"' ? ":" : undefined;
	if (expected !== "value" && expected !== "value or ]") return undefined;
	if (token !== "{" && token !== "[") return afterValue(open);
	open.push(token);
	return token === "{" ? "key or }" : "value or ]";
}

function close(open: ("{" | "[")[]): Expected {
	open.pop();
	return afterValue(open);
}

function afterValue(open: readonly ("{" | "[")[]): Expected {
	const inside = open.at(-1);
	return inside === undefined ? "end" : inside === "{" ? ", or }" : ", or ]";
}

function toLocation(text: string, position: number, problem: string): JsonErrorLocation {
	const before = text.slice(0, position).split("\n");
	const column = (before.at(-1)?.length ?? 0) + 1;
	return {
		problem,
		message: `${problem} (line ${before.length}, column ${column})`,
		position,
		line: before.length,
		column,
	};
}
