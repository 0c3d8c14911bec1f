import type { Heading, ParsedDocument, SourceRange, TextBlock } from "../document-part";
import { readHtmlParts } from "./html-parts";
import type { HtmlParent } from "./html-tree";
import { descendants, findMain } from "./main-content";
import { parseHtml, parseHtmlFragment } from "./parse-html";

/**
 * Reads the main content of a page; of a page that marks none, all but its surroundings.
 *
 * @throws UnreadableError for elements that are nested too deeply.
 */
export function readHtml(source: string): ParsedDocument {
	const page = parseHtml(source);
	const elements = descendants(page);
	const main = findMain(elements);
	const titleElement = elements.find(({ tagName }) => tagName === "title");
	const attempts = [
		() => (main === undefined ? [] : readHtmlParts(source, main, { inMain: true, skipBoilerplate: true })),
		() => readHtmlParts(source, page, { inMain: false, skipBoilerplate: true }),
		() => readHtmlParts(source, page, { inMain: false, skipBoilerplate: false }),
	];
	for (const read of attempts) {
		const parts = read();
		if (parts.some(({ kind }) => kind === "block")) return { title: textOf(titleElement), parts };
	}
	return { title: textOf(titleElement), parts: [] };
}

/** Reads HTML inside another document. */
export function readHtmlFragment(source: string, range: SourceRange): (Heading | TextBlock)[] {
	const html = source.slice(range.start, range.end);
	return readHtmlParts(source, parseHtmlFragment(html), {
		inMain: true,
		skipBoilerplate: false,
		offset: range.start,
	});
}

function textOf(element: HtmlParent | undefined): string | undefined {
	const texts = element?.children.map((node) => (node.kind === "text" ? node.value : ""));
	return texts?.join("").replace(/\s+/gu, " ").trim() || undefined;
}
