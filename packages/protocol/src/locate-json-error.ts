/** Location at which a text stops being valid JSON. */
export interface JsonErrorLocation {
	/** Message with the error and its location, without any of the text: it may be secret. */
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
		const next: Expected | undefined = token === undefined ? undefined : nextExpected(expected, token, open);
		if (token === undefined || next === undefined) break;
		expected = next;
		position = skipSpace(text, position + token.length);
	}
	return toLocation(text, position, position === text.length ? "it ends too early" : EXPLANATIONS[expected]);
}

function skipSpace(text: string, from: number): number {
	SPACE.lastIndex = from;
	SPACE.exec(text);
	return SPACE.lastIndex;
}

function readToken(text: string, position: number): string | undefined {
	if (text[position] === '"') return readString(text, position);
	TOKEN.lastIndex = position;
	return TOKEN.exec(text)?.[0];
}

/** Reads a string without a regular expression for the whole, which takes too much memory for a string of megabytes. */
function readString(text: string, start: number): string | undefined {
	let position = start + 1;
	while (position < text.length) {
		const character = text[position] ?? "";
		if (character === '"') return text.slice(start, position + 1);
		if (character < " ") return undefined;
		ESCAPE.lastIndex = position;
		if (character !== "\\") position += 1;
		else if (ESCAPE.test(text)) position = ESCAPE.lastIndex;
		else return undefined;
	}
	return undefined;
}

/** Returns what is expected after a token; `undefined` where the token is not allowed. */
function nextExpected(expected: Expected, token: string, open: ("{" | "[")[]): Expected | undefined {
	if (token === ",") return expected === ", or }" ? "key" : expected === ", or ]" ? "value" : undefined;
	if (token === ":") return expected === ":" ? "value" : undefined;
	if (token === "}" || token === "]") return expected.endsWith(token) ? close(open) : undefined;
	if (expected === "key" || expected === "key or }") return token.startsWith('"') ? ":" : undefined;
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
		message: `${problem} (line ${before.length}, column ${column})`,
		position,
		line: before.length,
		column,
	};
}
