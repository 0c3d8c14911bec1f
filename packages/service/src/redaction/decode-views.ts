/** A text in which something was decoded, and where its characters are in the text that it was made of. */
export interface DecodedView {
	readonly text: string;
	/** Start of each character in the original text, and after the last one its end. */
	readonly positions: Int32Array;
}

function toPlainView(text: string): DecodedView {
	const positions = new Int32Array(text.length + 1);
	for (let index = 0; index <= text.length; index++) positions[index] = index;
	return { text, positions };
}

/** Some way of writing characters. */
interface Decoding {
	/** Pattern that finds quickly whether a text may contain this encoding. */
	readonly pattern: RegExp;
	/** One character. */
	readonly encodedUnit: RegExp;
	readonly decodeUnit: (encodedUnit: string) => string;
	/** Maximum number of times that one text may be encoded this way. */
	readonly maxDepth: number;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Escapes of JSON, also of JSON within JSON. */
const JSON_ESCAPES: Decoding = {
	pattern: /\\/,
	encodedUnit: /\\(?:u[\da-f]{4}|.)/gis,
	decodeUnit: ([, kind = "", ...digits]) =>
		digits.length > 0
			? String.fromCharCode(Number.parseInt(digits.join(""), 16))
			: (SHORT_ESCAPES[kind] ?? kind),
	maxDepth: 3,
};

/** Percent encoding of URLs: bytes, each decoded to one character. */
const PERCENT_ENCODING: Decoding = {
	pattern: /%[\da-f]{2}/i,
	encodedUnit: /%[\da-f]{2}/gi,
	decodeUnit: (encodedUnit) => String.fromCharCode(Number.parseInt(encodedUnit.slice(1), 16)),
	maxDepth: 2,
};

const KEY = String.raw`(?:\\{0,7}"\d{1,9}\\{0,7}":)?`;
const COMMA = String.raw`\s{0,9},\s{0,9}${KEY}`;

/** Bytes as decimal numbers, in a list or with their indexes, as JSON has a `Buffer` and a `Uint8Array`. */
const BYTE_LISTS: Decoding = {
	pattern: new RegExp(`(?:\\d${COMMA}\\d{0,2}){7}\\d`),
	encodedUnit: new RegExp(`(?<!\\d)\\d{1,3}(?!\\d)(?:${COMMA}(?=\\d))?`, "g"),
	decodeUnit: (encodedUnit) => String.fromCharCode(Number.parseInt(encodedUnit, 10)),
	maxDepth: 1,
};

/** All ways to read a text in which a secret may stand. */
export function decodeViews(text: string): readonly DecodedView[] {
	const plain = toPlainView(text);
	const unescaped = decodeAll(plain, JSON_ESCAPES);
	const fromUrls = decodeAll(unescaped.at(-1) ?? plain, PERCENT_ENCODING);
	const [, ...fromNumbers] = decodeAll(plain, BYTE_LISTS);
	return [
		...unescaped,
		...fromUrls.slice(1).flatMap((view) => decodeAll(view, JSON_ESCAPES)),
		...fromNumbers,
	];
}

/** A text and what becomes of it, step by step. */
function decodeAll(view: DecodedView, decoding: Decoding): readonly DecodedView[] {
	const all = [view];
	for (let last = view; all.length <= decoding.maxDepth && decoding.pattern.test(last.text); all.push(last))
		last = decode(last, decoding);
	return all;
}

function decode({ text, positions }: DecodedView, { encodedUnit, decodeUnit }: Decoding): DecodedView {
	const decodedPositions = new Int32Array(text.length + 1);
	let decoded = "";
	let done = 0;
	const copy = (end: number): void => {
		decodedPositions.set(positions.subarray(done, end), decoded.length);
		decoded += text.slice(done, end);
		done = end;
	};
	for (const match of text.matchAll(encodedUnit)) {
		copy(match.index);
		decodedPositions[decoded.length] = positions[match.index] ?? 0;
		decoded += decodeUnit(match[0]);
		done = match.index + match[0].length;
	}
	copy(text.length);
	decodedPositions[decoded.length] = positions[text.length] ?? 0;
	return { text: decoded, positions: decodedPositions };
}
