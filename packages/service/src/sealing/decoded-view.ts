/** A text in which something was decoded, and where its characters are in the text that it was made of. */
export interface View {
	readonly text: string;
	/** Where each character begins, and after the last one where the text ends. */
	readonly positions: Int32Array;
}

function viewPlainly(text: string): View {
	const positions = new Int32Array(text.length + 1);
	for (let index = 0; index <= text.length; index++) positions[index] = index;
	return { text, positions };
}

/** Some way of writing characters. */
interface Decoding {
	/** Whether it is worth a look. */
	readonly hint: RegExp;
	/** One character. */
	readonly unit: RegExp;
	readonly read: (unit: string) => string;
	/** How often it may have been done to one text. */
	readonly depth: number;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** As in JSON; also what holds JSON itself. */
const ESCAPES: Decoding = {
	hint: /\\/,
	unit: /\\(?:u[\da-f]{4}|.)/gis,
	read: ([, kind = "", ...digits]) =>
		digits.length > 0
			? String.fromCharCode(Number.parseInt(digits.join(""), 16))
			: (SHORT_ESCAPES[kind] ?? kind),
	depth: 3,
};

/** As in URLs: bytes, each a character. */
const PERCENT: Decoding = {
	hint: /%[\da-f]{2}/i,
	unit: /%[\da-f]{2}/gi,
	read: (unit) => String.fromCharCode(Number.parseInt(unit.slice(1), 16)),
	depth: 2,
};

const KEY = String.raw`(?:\\{0,7}"\d{1,9}\\{0,7}":)?`;
const COMMA = String.raw`\s{0,9},\s{0,9}${KEY}`;

/** Bytes as decimal numbers, in a list or with their indexes, as JSON has a `Buffer` and a `Uint8Array`. */
const NUMBERS: Decoding = {
	hint: new RegExp(`(?:\\d${COMMA}\\d{0,2}){7}\\d`),
	unit: new RegExp(`(?<!\\d)\\d{1,3}(?!\\d)(?:${COMMA}(?=\\d))?`, "g"),
	read: (unit) => String.fromCharCode(Number.parseInt(unit, 10)),
	depth: 1,
};

/** All ways to read a text in which a secret may stand. */
export function viewDecoded(text: string): readonly View[] {
	const plain = viewPlainly(text);
	const unescaped = decodeAll(plain, ESCAPES);
	const fromUrls = decodeAll(unescaped.at(-1) ?? plain, PERCENT);
	const [, ...fromNumbers] = decodeAll(plain, NUMBERS);
	return [...unescaped, ...fromUrls.slice(1).flatMap((view) => decodeAll(view, ESCAPES)), ...fromNumbers];
}

/** A text and what becomes of it, step by step. */
function decodeAll(view: View, decoding: Decoding): readonly View[] {
	const all = [view];
	for (let last = view; all.length <= decoding.depth && decoding.hint.test(last.text); all.push(last))
		last = decode(last, decoding);
	return all;
}

function decode({ text, positions }: View, { unit, read }: Decoding): View {
	const starts = new Int32Array(text.length + 1);
	let decoded = "";
	let done = 0;
	const copy = (end: number): void => {
		starts.set(positions.subarray(done, end), decoded.length);
		decoded += text.slice(done, end);
		done = end;
	};
	for (const match of text.matchAll(unit)) {
		copy(match.index);
		starts[decoded.length] = positions[match.index] ?? 0;
		decoded += read(match[0]);
		done = match.index + match[0].length;
	}
	copy(text.length);
	starts[decoded.length] = positions[text.length] ?? 0;
	return { text: decoded, positions: starts };
}
