import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5";
import type { Heading, ParsedDocument, SourceRange, TextBlock } from "../document-part";
import { createBoundedTree } from "./bounded-tree";
import { readHtmlParts } from "./html-parts";
import { descendants, findMain, type HtmlParent } from "./main-content";

/**
 * Reads the main content of a page; of a page that marks none, all but its surroundings.
 *
 * @throws UnreadableError for elements that are nested too deeply.
 */
export function readHtml(source: string): ParsedDocument {
	const page = parse(source, { sourceCodeLocationInfo: true, treeAdapter: createBoundedTree(source) });
	const main = findMain(page);
	const titleElement = descendants(page).find(({ tagName }) => tagName === "title");
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
	const fragment = parseFragment(html, {
		sourceCodeLocationInfo: true,
		treeAdapter: createBoundedTree(html),
	});
	return readHtmlParts(source, fragment, { inMain: true, skipBoilerplate: false, offset: range.start });
}

function textOf(element: HtmlParent | undefined): string | undefined {
	const texts = element?.childNodes.filter(
		(node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === "#text",
	);
	const text = texts?.map(({ value }) => value).join("");
	return text?.replace(/\s+/gu, " ").trim() || undefined;
}
