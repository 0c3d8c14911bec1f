/** Position at which a text stops being JSON, and what was expected there. */
export interface JsonError {
	/** Offset in UTF-16 code units, from 0. */
	readonly offset: number;
	/** A sentence without its first capital. */
	readonly expected: string;
}

type State = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma" | "end";

const EXPECTED: Readonly<Record<State, string>> = {
	value: "a value is expected (a comma too many?)",
	"value or ]": "a value or a closing bracket ] is expected",
	name: "a property name in double quotes is expected (a comma too many?)",
	"name or }": "a property name in double quotes or a closing brace } is expected",
	colon: "a colon is expected",
	comma: "a comma or the closing bracket is expected",
	end: "the end of the file is expected, but more follows",
};

/**
 * Finds the first place that breaks the grammar of JSON (RFC 8259). `JSON.parse` says that there is one; where, it tells
 * in other words in every version of every engine, or not at all.
 */
export function findJsonError(text: string): JsonError | undefined {
	const open: ("{" | "[")[] = [];
	let state: State = "value";
	let offset = skipSpace(text, 0);

	const afterValue = (): State => (open.length === 0 ? "end" : "comma");
	const toError = (): JsonError => ({ offset, expected: EXPECTED[state] });

	while (offset < text.length) {
		const character = text.charAt(offset);
		const closes = (character === "}" && open.at(-1) === "{") || (character === "]" && open.at(-1) === "[");
		if (closes && (state === "comma" || state === "value or ]" || state === "name or }")) {
			open.pop();
			state = afterValue();
			offset += 1;
		} else if (state === "colon" || state === "comma") {
			if (character !== (state === "colon" ? ":" : ",")) return toError();
			state = state === "colon" || open.at(-1) === "[" ? "value" : "name";
			offset += 1;
		} else if (state === "name" || state === "name or }") {
			if (character !== '"') return toError();
			const end = skipString(text, offset);
			if (typeof end !== "number") return end;
			state = "colon";
			offset = end;
		} else if (state === "end") return toError();
		else if (character === "{" || character === "[") {
			open.push(character);
			state = character === "{" ? "name or }" : "value or ]";
			offset += 1;
		} else {
			const end = character === '"' ? skipString(text, offset) : skipWord(text, offset);
			if (typeof end === "object") return end;
			if (end === undefined) return toError();
			state = afterValue();
			offset = end;
		}
		offset = skipSpace(text, offset);
	}
	return state === "end" ? undefined : { offset, expected: `the text ends here, and ${EXPECTED[state]}` };
}

function skipSpace(text: string, from: number): number {
	let offset = from;
	while (offset < text.length && " \t\n\r".includes(text.charAt(offset))) offset += 1;
	return offset;
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function skipWord(text: string, from: number): number | undefined {
	WORD.lastIndex = from;
	return WORD.test(text) ? WORD.lastIndex : undefined;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The offset after the closing quote. */
function skipString(text: string, from: number): number | JsonError {
	let offset = from + 1;
	while (offset < text.length) {
		const character = text.charAt(offset);
		if (character === '"') return offset + 1;
		if (character < " ") return { offset, expected: "a control character in a text must be escaped" };
		if (character === "\\") {
			ESCAPE.lastIndex = offset;
			if (!ESCAPE.test(text)) return { offset, expected: "an unknown escape after a backslash" };
			offset = ESCAPE.lastIndex;
		} else offset += 1;
	}
	return { offset: from, expected: "a text starts here that has no closing quote" };
}
