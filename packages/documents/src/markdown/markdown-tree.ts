import { GFM, parser } from "@lezer/markdown";
import type { SourceRange } from "../document-part";
import { nestingError } from "../unreadable-error";
import { inlineScan } from "./inline-scan";

/** Node of a Markdown tree; it knows where it stands, and text is what no child covers. */
export type MarkdownNode = ReturnType<typeof parser.parse>["topNode"];

/** Markdown source that was parsed. */
export interface MarkdownSource {
	/** The source, its front matter blank. */
	readonly text: string;
	/** Addresses of the links that are defined, by their labels as {@link normalizeLabel} gives them. */
	readonly labels: ReadonlyMap<string, string>;
	readonly root: MarkdownNode;
}

/** Marks at the start of one line that can begin quotations and lists. Each level is looked at again in the next line. */
const MAX_CONTAINER_MARKS = 200;
const MANY_CONTAINERS = new RegExp(
	String.raw`^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${MAX_CONTAINER_MARKS}}`,
	"m",
);

const markdown = parser.configure([GFM, inlineScan]);

/** Label of a link or footnote that a line defines, and what is before it. */
const DEFINITION = /^([ >]{0,8})\[(\^?[^\]\n]+)\]:/gm;
/** Address behind the colon of a definition. */
const ADDRESS = /[ \t]*\n?[ >\t]*<?([^\s>]*)/y;
/** Brackets without brackets in them that are no link by themselves. */
const BRACKETS = /\[([^[\]\n]{1,999})\](?![([])/g;

/**
 * Parses CommonMark with GitHub's tables, strikethrough, autolinks and footnotes.
 *
 * @param source - whose first lines may be blank, as far as `start`.
 * @throws UnreadableError for quotations and lists that are nested too deeply.
 */
export function parseMarkdown(source: string, start = 0): MarkdownSource {
	if (MANY_CONTAINERS.test(source)) throw nestingError("quotations and lists");
	const text = " ".repeat(start) + source.slice(start);
	const labels = readDefinitions(text);
	return { text, labels, root: markdown.parse(toParsedText(text, labels)).topNode };
}

/** Labels that lines define, with their addresses; the first definition of a label counts. */
function readDefinitions(text: string): Map<string, string> {
	const labels = new Map<string, string>();
	for (const { 0: start, 2: written = "", index } of text.matchAll(DEFINITION)) {
		const label = normalizeLabel(written);
		if (label.startsWith("^") || labels.has(label)) continue;
		ADDRESS.lastIndex = index + start.length;
		labels.set(label, ADDRESS.exec(text)?.[1] ?? "");
	}
	return labels;
}

/**
 * Changes what the parser reads otherwise than CommonMark into what it reads alike; all offsets stay. Brackets that no
 * definition makes a link become parentheses, and labels of footnotes letters.
 */
function toParsedText(text: string, labels: ReadonlyMap<string, string>): string {
	const withLinks = text.replace(BRACKETS, (written, label: string) =>
		/^(?:[ xX]|\^.*)$/.test(label) || labels.has(normalizeLabel(label)) ? written : `(${label})`,
	);
	return replaceFootnoteLabels(withLinks, "x");
}

/** Replaces the labels that begin footnotes by as many other characters. */
export function replaceFootnoteLabels(text: string, filler: string): string {
	if (!text.includes("[^")) return text;
	return text.replace(DEFINITION, (written, indent: string, label: string) =>
		label.startsWith("^") ? indent + filler.repeat(written.length - indent.length) : written,
	);
}

/** Lists the children of a node, in order. */
export function childrenOf(node: MarkdownNode): MarkdownNode[] {
	const children: MarkdownNode[] = [];
	for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
	return children;
}

export const toRange = ({ from, to }: MarkdownNode): SourceRange => ({ start: from, end: to });

/** Normalizes the label of a link, with or without its brackets (CommonMark, "Link reference definitions"). */
export const normalizeLabel = (label: string): string =>
	label
		.replace(/^\[|\]$/g, "")
		.replace(/\s+/gu, " ")
		.trim()
		.toLowerCase();
