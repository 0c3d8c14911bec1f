import { decodeHTMLAttribute } from "entities";
import { type HtmlAttribute, KEPT_ATTRIBUTES } from "../html-tree";
import { findTagRule, type TagRule } from "./tag-rules";

/** Tag as it is in the source. */
export interface Tag {
	readonly rule: TagRule;
	readonly isEnd: boolean;
	readonly isSelfClosing: boolean;
	readonly attributes: readonly HtmlAttribute[];
	readonly start: number;
	/** Offset after the tag. */
	readonly end: number;
}

const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BACKTICK = 0x60;
const NO_ATTRIBUTES: readonly HtmlAttribute[] = [];

/** Checks for a letter of ASCII. */
export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Checks for a blank of HTML: space, tab, line feed, form feed, carriage return. */
export const isHtmlBlank = (code: number): boolean =>
	code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;

const isNameCharacter = (code: number): boolean =>
	isLetter(code) || (code >= 0x30 && code <= 0x3a) || code === 0x2d;

/**
 * Reads the tag that begins at an offset. Undefined where a browser would have to repair it,
 * or where the source ends in it.
 */
export function scanTag(source: string, start: number): Tag | undefined {
	const isEnd = source.charCodeAt(start + 1) === SLASH;
	const nameStart = isEnd ? start + 2 : start + 1;
	let position = nameStart;
	while (isNameCharacter(source.charCodeAt(position))) position += 1;
	if (position === nameStart) return undefined;
	const rule = findTagRule(source.slice(nameStart, position));
	const code = source.charCodeAt(position);
	if (code === GREATER_THAN)
		return { rule, isEnd, isSelfClosing: false, attributes: NO_ATTRIBUTES, start, end: position + 1 };
	if (code !== SLASH && !isHtmlBlank(code)) return undefined;
	const scan: AttributeScan = { source, position, kept: NO_ATTRIBUTES };
	if (!scanAttributes(scan, isEnd)) return undefined;
	const isSelfClosing = source.charCodeAt(scan.position - 2) === SLASH;
	return { rule, isEnd, isSelfClosing, attributes: scan.kept, start, end: scan.position };
}

interface AttributeScan {
	readonly source: string;
	position: number;
	kept: readonly HtmlAttribute[];
}

/** Reads as far as the end of the tag; `false` where a browser would have to repair it. An end tag has no attributes. */
function scanAttributes(scan: AttributeScan, isEnd: boolean): boolean {
	const { source } = scan;
	for (;;) {
		const code = source.charCodeAt(scan.position);
		if (code === GREATER_THAN) {
			scan.position += 1;
			return true;
		}
		if (code === SLASH || isHtmlBlank(code)) scan.position += 1;
		else if (isEnd || code === EQUALS || !scanAttribute(scan)) return false;
	}
}

function scanAttribute(scan: AttributeScan): boolean {
	const { source, position: start } = scan;
	let position = start;
	for (; ; position += 1) {
		const code = source.charCodeAt(position);
		if (code === EQUALS || code === GREATER_THAN || code === SLASH || isHtmlBlank(code)) break;
		if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === LESS_THAN || Number.isNaN(code))
			return false;
	}
	const end = position;
	position = skipBlanks(source, position);
	if (source.charCodeAt(position) === EQUALS) {
		const valueStart = skipBlanks(source, position + 1);
		const valueEnd = findValueEnd(source, valueStart);
		if (valueEnd === -1) return false;
		const isQuoted = isQuote(source.charCodeAt(valueStart));
		position = isQuoted ? valueEnd + 1 : valueEnd;
		keep(scan, start, end, isQuoted ? valueStart + 1 : valueStart, valueEnd);
	} else keep(scan, start, end, end, end);
	scan.position = position;
	return true;
}

function skipBlanks(source: string, start: number): number {
	let position = start;
	while (isHtmlBlank(source.charCodeAt(position))) position += 1;
	return position;
}

const isQuote = (code: number): boolean => code === DOUBLE_QUOTE || code === SINGLE_QUOTE;

/** End of a value without its closing quote; -1 where it is not as it has to be. */
function findValueEnd(source: string, start: number): number {
	const first = source.charCodeAt(start);
	if (isQuote(first)) return source.indexOf(first === DOUBLE_QUOTE ? '"' : "'", start + 1);
	let position = start;
	for (; ; position += 1) {
		const code = source.charCodeAt(position);
		if (isHtmlBlank(code) || code === GREATER_THAN) return position === start ? -1 : position;
		if (isQuote(code) || code === LESS_THAN || code === EQUALS || code === BACKTICK || Number.isNaN(code))
			return -1;
	}
}

/** Lengths of the names that are kept, so that others are not looked up. */
const KEPT_LENGTHS = new Set([...KEPT_ATTRIBUTES].map(({ length }) => length));

function keep(scan: AttributeScan, start: number, end: number, valueStart: number, valueEnd: number): void {
	const { source, kept } = scan;
	if (!KEPT_LENGTHS.has(end - start)) return;
	const name = source.slice(start, end).toLowerCase();
	if (!KEPT_ATTRIBUTES.has(name) || kept.some((attribute) => attribute.name === name)) return;
	const value = normalizeText(source.slice(valueStart, valueEnd));
	scan.kept = [...kept, { name, value: value.includes("&") ? decodeHTMLAttribute(value) : value }];
}

/** Text with the line ends that parsers of HTML make of all of them. */
export const normalizeText = (text: string): string =>
	text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
