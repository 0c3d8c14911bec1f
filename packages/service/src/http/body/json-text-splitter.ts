import { createJsonStringReader, type JsonStringReader } from "./json-string-reader";

/**
 * Takes one long string field of a JSON object out of it while the object is read, so that neither has to be in memory
 * whole: the text of the field comes out in pieces, and what remains is a small JSON object.
 */
export interface JsonTextSplitter {
	/**
	 * Reads the next piece of the object.
	 *
	 * @returns the next piece of the field's text.
	 * @throws SyntaxError for what is no JSON, inside the field. Outside of it, parsing {@link rest} tells.
	 * @throws RepeatedFieldError where the field is there a second time.
	 */
	push(chunk: string): string;
	/** Characters of {@link rest}. */
	readonly restLength: number;
	/** The JSON that was read without the field's text, of which one character stands there. */
	rest(): string;
}

/** Characters of one character's escape: `\u0074`. */
const MAX_ESCAPE_CHARACTERS = 6;

/** The field is there more than once. */
export class RepeatedFieldError extends Error {}

/** @param field - of the object itself, not of what is in it. */
export function createJsonTextSplitter(field: string): JsonTextSplitter {
	const finder = createFieldFinder(field);
	const rest: string[] = [];
	let restLength = 0;
	let reader: JsonStringReader | undefined;
	let hasText = false;
	let hasField = false;

	function appendRest(text: string): void {
		rest.push(text);
		restLength += text.length;
	}

	/** @returns how many characters of the piece were read: up to the field's text, or all. */
	function readOutside(chunk: string): number {
		const start = finder.find(chunk);
		appendRest(chunk.slice(0, start));
		if (start === undefined) return chunk.length;
		if (hasField) throw new RepeatedFieldError();
		hasField = true;
		reader = createJsonStringReader();
		return start;
	}

	function readText(from: JsonStringReader, chunk: string) {
		const { text, length, isEnded } = from.read(chunk);
		if (text !== "" && !hasText) appendRest("x");
		hasText ||= text !== "";
		if (isEnded) {
			appendRest('"');
			reader = undefined;
		}
		return { text, length };
	}

	return {
		push(chunk) {
			let found = "";
			for (let index = 0; index < chunk.length; ) {
				if (reader === undefined) index += readOutside(chunk.slice(index));
				else {
					const { text, length } = readText(reader, chunk.slice(index));
					found += text;
					index += length;
				}
			}
			return found;
		},
		get restLength() {
			return restLength;
		},
		rest: () => rest.join(""),
	};
}

/** Finds where the text of a field begins, in an object that comes in pieces. */
function createFieldFinder(field: string) {
	let depth = 0;
	let isInString = false;
	let isEscaped = false;
	/** The last string of the object itself, as it is written; of a long one the start. */
	let key = "";
	/** The next value is the field's. */
	let isFieldNext = false;

	function readString(character: string): void {
		if (depth === 1 && key.length <= MAX_ESCAPE_CHARACTERS * field.length) key += character;
		if (isEscaped) isEscaped = false;
		else if (character === "\\") isEscaped = true;
		else if (character === '"') isInString = false;
	}

	function startString(): void {
		isInString = true;
		key = "";
	}

	function readStructure(character: string): void {
		if (character === '"') startString();
		else if (character === "{" || character === "[") depth += 1;
		else if (character === "}" || character === "]") depth -= 1;
		if (depth === 1 && character === ":") isFieldNext = isSame(key, field);
		else if (!WHITESPACE.includes(character)) isFieldNext = false;
	}

	return {
		/** @returns the index of the text's first character; `undefined` where it does not begin in this piece. */
		find(chunk: string): number | undefined {
			for (let index = 0; index < chunk.length; index += 1) {
				const character = chunk.charAt(index);
				if (isInString) readString(character);
				else if (isFieldNext && character === '"') {
					isFieldNext = false;
					return index + 1;
				} else readStructure(character);
			}
			return undefined;
		},
	};
}

const WHITESPACE = " \t\n\r";

/** @param written - a string of JSON without its first quote. */
function isSame(written: string, text: string): boolean {
	if (!written.includes("\\")) return written === `${text}"`;
	try {
		return JSON.parse(`"${written}`) === text;
	} catch {
		return false;
	}
}
