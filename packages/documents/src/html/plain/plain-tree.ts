import { decodeHTML } from "entities";
import type { HtmlComment, HtmlParent } from "../html-tree";
import { addEndTag } from "./end-tags";
import { currentElement, type OpenElements, openElement, toImpliedTag } from "./open-elements";
import type { PlainPage } from "./plain-page";
import { addStartTag, isInTable, openBody } from "./start-tags";
import { isHtmlBlank, isLetter, normalizeText, scanTag } from "./tag-scanner";

/** Depth of elements up to which a page is plain: each tag looks at those that are open. */
const MAX_PLAIN_DEPTH = 200;
/** Doctypes of pages that browsers do not show in quirks mode. */
const DOCTYPE =
	/<!doctype[\t\n\f\r ]+html[\t\n\f\r ]*(?:public[\t\n\f\r ]+"-\/\/W3C\/\/DTD (?:XHTML 1\.[01]|HTML 4\.01)[^">]*"[\t\n\f\r ]+"https?:\/\/www\.w3\.org\/[^">]*"[\t\n\f\r ]*)?>/iy;
/** Line end that begins preformatted text, with the start of a reference after it, or of one that can be a line end. */
const LINE_END = /^(?:(?:\r\n?|\n)&?|&#)/;
const COMMENT: HtmlComment = { kind: "comment" };
const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const QUESTION = 0x3f;

/**
 * Tree of a page, or of a part of one, whose markup is plain: what browsers do not have to repair, but for end tags that may
 * be left out. A full parser gives the same tree, but takes several times as long. Undefined where the markup is not plain.
 */
export function parsePlainHtml(source: string, isFragment: boolean): HtmlParent | undefined {
	if (source.includes("\0")) return undefined;
	const page = createPage(source, isFragment);
	for (let position = 0; position < source.length; ) {
		const next = findMarkup(source, position);
		if (!addText(page, position, next)) return undefined;
		if (next === source.length) break;
		position = addMarkup(page, next);
		if (position === -1 || page.open.elements.length > MAX_PLAIN_DEPTH) return undefined;
	}
	return page.root;
}

function createPage(source: string, isFragment: boolean): PlainPage {
	const open: OpenElements = { elements: [], rules: [] };
	return {
		source,
		root: isFragment ? openElement(open, toImpliedTag("html", 0)) : { kind: "root", children: [] },
		open,
		phase: isFragment ? "body" : "before-head",
		hasDoctype: false,
		isQuirky: !isFragment,
		head: undefined,
		isFormOpen: false,
		isAfterBody: false,
		skipsLineEnd: false,
	};
}

/** Offset of the next tag, comment or declaration; the end of the source where there is none. */
function findMarkup(source: string, start: number): number {
	for (let found = source.indexOf("<", start); found !== -1; found = source.indexOf("<", found + 1)) {
		const next = source.charCodeAt(found + 1);
		if (isLetter(next) || next === SLASH || next === EXCLAMATION || next === QUESTION) return found;
	}
	return source.length;
}

/** @returns offset after it; -1 where it is not plain. */
function addMarkup(page: PlainPage, start: number): number {
	const { source } = page;
	const next = source.charCodeAt(start + 1);
	if (next === EXCLAMATION || next === QUESTION) {
		page.skipsLineEnd = false;
		return source.startsWith("<!d", start) || source.startsWith("<!D", start)
			? addDoctype(page, start)
			: addComment(page, start);
	}
	const tag = scanTag(source, start);
	if (tag === undefined) return -1;
	page.skipsLineEnd = false;
	if (!tag.isEnd) return addStartTag(page, tag);
	return addEndTag(page, tag) ? tag.end : -1;
}

function addDoctype(page: PlainPage, start: number): number {
	const isFirst = page.phase === "before-head" && page.open.elements.length === 0 && !page.hasDoctype;
	DOCTYPE.lastIndex = start;
	if (!isFirst || !DOCTYPE.test(page.source)) return -1;
	page.hasDoctype = true;
	page.isQuirky = false;
	return DOCTYPE.lastIndex;
}

function addComment(page: PlainPage, start: number): number {
	const end = findCommentEnd(page.source, start);
	if (end === -1) return -1;
	if (page.phase === "after-head" || (page.phase === "body" && !page.isAfterBody))
		currentElement(page.open)?.children.push(COMMENT);
	return end;
}

/** Offset after a comment, or an instruction to a processor of XML; -1 where it ends otherwise than usual. */
function findCommentEnd(source: string, start: number): number {
	if (source.startsWith("<?", start)) return source.indexOf(">", start) + 1 || -1;
	if (
		!source.startsWith("<!--", start) ||
		source.startsWith("<!-->", start) ||
		source.startsWith("<!--->", start)
	)
		return -1;
	const end = source.indexOf("-->", start + 4);
	if (end === -1 || source.slice(start + 4, end).includes("--!>")) return -1;
	return end + 3;
}

/** Adds text. @returns `false` where only a full parser knows where it stands. */
function addText(page: PlainPage, from: number, end: number): boolean {
	const { source, open } = page;
	if (from === end) return true;
	let start = from;
	if (page.phase !== "body") {
		start = skipBlanks(source, from, end);
		const html = page.phase === "after-head" ? currentElement(open) : undefined;
		if (html !== undefined && start > from) appendText(html, source.slice(from, start), from, start);
		if (start === end) return true;
		if (source.startsWith("&", start)) return false;
		openBody(page, start);
	}
	const parent = currentElement(open);
	if (parent === undefined || (isInTable(open) && skipBlanks(source, start, end) < end)) return false;
	const lineEnd = page.skipsLineEnd ? LINE_END.exec(source.slice(start, start + 5)) : null;
	if (lineEnd?.[0].includes("&")) return false;
	page.skipsLineEnd = false;
	if (skipBlanks(source, start, end) < end) page.isAfterBody = false;
	const textStart = start + (lineEnd?.[0].length ?? 0);
	// Parsers begin the text at the line end where blanks follow it.
	appendText(
		parent,
		decodeText(source, textStart, end),
		isBlankAt(source, textStart) ? start : textStart,
		end,
	);
	return true;
}

function decodeText(source: string, start: number, end: number): string {
	const written = normalizeText(source.slice(start, end));
	return written.includes("&") ? decodeHTML(written) : written;
}

const isBlankAt = (source: string, offset: number): boolean => isHtmlBlank(source.charCodeAt(offset));

function skipBlanks(source: string, start: number, end: number): number {
	let position = start;
	while (position < end && isHtmlBlank(source.charCodeAt(position))) position += 1;
	return position;
}

/** Appends text to an element, or to the text that is its last child. */
function appendText({ children }: HtmlParent, value: string, start: number, end: number): void {
	if (value === "") return;
	const last = children.at(-1);
	if (last?.kind !== "text") {
		children.push({ kind: "text", value, start, end });
		return;
	}
	last.value += value;
	last.end = end;
}
