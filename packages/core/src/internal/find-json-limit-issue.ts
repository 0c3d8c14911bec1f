import { formatPath } from "../errors";

/** Limit that a JSON text exceeds, whatever its schema. */
export interface JsonLimitIssue {
	/** Path as in JavaScript: `input.messages[0]`; empty for the value itself. */
	readonly path: string;
	/** A sentence without its subject and without its full stop. */
	readonly message: string;
}

/**
 * Maximum bytes of a JSON body, unless its route has its own limit. Services, runtimes and A2A servers have the same, as one
 * passes on what another has accepted.
 */
export const MAX_JSON_BODY_BYTES = 2_097_152;
/**
 * Maximum nesting of a JSON body. No request needs more, and deeper nesting could exhaust the stack of the code that
 * walks it.
 */
export const MAX_JSON_NESTING = 200;
/**
 * Maximum items of a list, and maximum values of a whole body: parsing and checking more takes noticeable time, in which
 * a server answers nobody else.
 */
export const MAX_JSON_ITEMS = 50_000;
export const MAX_JSON_VALUES = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
const SPACE = 0x20;

/** List or object that is open where the scan is. */
interface Container {
	readonly isList: boolean;
	/** Number of values before the current one. */
	index: number;
	/** Current key as in the text, with its quotes; nothing before it was read. */
	key: string;
	isEmpty: boolean;
}

/**
 * The first place of a JSON text that is nested too deep, too long, or no Unicode text. It reads the text once, before it is
 * parsed: parsed, a text of `{},{},…` takes 20 times the memory, and walking its values ten times as long. Text that is no
 * JSON has no issue here.
 */
export function findJsonLimitIssue(text: string): JsonLimitIssue | undefined {
	const open: Container[] = [];
	// In UTF-8, half of a character can only be written as an escape, and hardly any text has one.
	const hasSurrogates = /\\u[dD][89a-fA-F]/.test(text);
	let values = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code <= SPACE || code === COLON) continue;
		const container = open.at(-1);
		if (code === RIGHT_BRACKET || code === RIGHT_BRACE) {
			if (open.pop()?.isEmpty === false) values += 1;
			continue;
		}
		if (container !== undefined) container.isEmpty = false;
		if (code === QUOTE) {
			const end = findStringEnd(text, at);
			const string = hasSurrogates || needsKey(container) ? text.slice(at, end + 1) : "";
			if (hasSurrogates && hasLoneSurrogate(string)) return loneSurrogate(open);
			if (needsKey(container)) container.key = string;
			at = end;
		} else if (code === LEFT_BRACKET || code === LEFT_BRACE) {
			if (open.length === MAX_JSON_NESTING) return tooDeep(open);
			open.push({ isList: code === LEFT_BRACKET, index: 0, key: "", isEmpty: true });
		} else if (code === COMMA && container !== undefined) {
			values += 1;
			if (values > MAX_JSON_VALUES) return tooMany([], "values", MAX_JSON_VALUES);
			container.index += 1;
			container.key = "";
			if (container.isList && container.index >= MAX_JSON_ITEMS)
				return tooMany(open.slice(0, -1), "items", MAX_JSON_ITEMS);
		}
	}
	return undefined;
}

const needsKey = (container: Container | undefined): container is Container =>
	container !== undefined && !container.isList && container.key === "";

/** @returns the index of the closing quote, or the end of a text that has none. */
function findStringEnd(text: string, start: number): number {
	for (let from = start + 1; ; ) {
		const end = text.indexOf('"', from);
		if (end === -1) return text.length;
		let backslashes = 0;
		while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
		if (backslashes % 2 === 0) return end;
		from = end + 1;
	}
}

/** @param string - with its quotes. */
const hasLoneSurrogate = (string: string): boolean => /\p{Surrogate}/u.test(unquote(string));

/** Value of a string of JSON; empty for what is none. */
function unquote(string: string): string {
	try {
		return String(JSON.parse(string));
	} catch {
		return "";
	}
}

function toPath(open: readonly Container[]): string {
	const path = open
		.filter(({ isList, key }) => isList || key !== "")
		.map(({ isList, index, key }) => (isList ? index : unquote(key)));
	return path.length === 0 ? "" : formatPath(path);
}

const loneSurrogate = (open: readonly Container[]): JsonLimitIssue => ({
	path: toPath(open),
	message: "holds half of a character (a lone surrogate), which is no text",
});

const tooMany = (open: readonly Container[], what: string, max: number): JsonLimitIssue => ({
	path: toPath(open),
	message: `holds more than ${max.toLocaleString("en")} ${what}`,
});

const tooDeep = (open: readonly Container[]): JsonLimitIssue => ({
	path: toPath(open.slice(0, 3)),
	message: `is nested more than ${MAX_JSON_NESTING} levels deep`,
});
