/** Reads the content of one JSON string piece by piece, without its quotes. */
export interface JsonStringReader {
	/**
	 * Reads the next piece.
	 *
	 * @returns the text of what is complete, and how many characters of the piece belong to the string or close it;
	 * `isEnded` once the closing quote was there.
	 * @throws SyntaxError for an escape or a control character that JSON does not have.
	 */
	read(chunk: string): { readonly text: string; readonly length: number; readonly isEnded: boolean };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPE_U = 0x75;
/** `\uXXXX` */
const LONG_ESCAPE = 6;

export function createJsonStringReader(): JsonStringReader {
	/** The start of an escape whose rest is not there yet. */
	let pending = "";
	return {
		read(chunk) {
			const all = pending + chunk;
			const pendingLength = pending.length;
			const end = findEnd(all);
			pending = end.isEnded ? "" : all.slice(end.index);
			const text = end.index === 0 ? "" : (JSON.parse(`"${all.slice(0, end.index)}"`) as string);
			return {
				text,
				length: end.isEnded ? end.index + 1 - pendingLength : chunk.length,
				isEnded: end.isEnded,
			};
		},
	};
}

/** Finds the end of the string, or else the end of its complete part. */
function findEnd(text: string): { readonly index: number; readonly isEnded: boolean } {
	let index = 0;
	while (index < text.length) {
		const code = text.charCodeAt(index);
		if (code === QUOTE) return { index, isEnded: true };
		if (code !== BACKSLASH) {
			index += 1;
			continue;
		}
		const length = escapeLength(text, index);
		if (index + length > text.length) break;
		index += length;
	}
	return { index, isEnded: false };
}

/** A pair of surrogates is one escape of two: apart, each would be half of a character. */
function escapeLength(text: string, index: number): number {
	if (index + 1 === text.length) return 2;
	if (text.charCodeAt(index + 1) !== ESCAPE_U) return 2;
	const isHigh = /^d[89ab]/i.test(text.slice(index + 2, index + 4));
	const next = index + LONG_ESCAPE;
	const isPair = isHigh && (next >= text.length || text.charCodeAt(next) === BACKSLASH);
	return isPair ? 2 * LONG_ESCAPE : LONG_ESCAPE;
}
