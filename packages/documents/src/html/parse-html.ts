import { parseFullHtml } from "./full-tree";
import type { HtmlParent } from "./html-tree";
import { parsePlainHtml } from "./plain/plain-tree";

/**
 * Parses a page, as browsers do.
 *
 * @throws UnreadableError for elements that are nested too deeply.
 */
export const parseHtml = (source: string): HtmlParent =>
	parsePlainHtml(source, false) ?? parseFullHtml(source, false);

/** Parses a part of a page. @throws as {@link parseHtml}. */
export const parseHtmlFragment = (source: string): HtmlParent =>
	parsePlainHtml(source, true) ?? parseFullHtml(source, true);
