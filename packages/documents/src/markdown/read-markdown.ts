import { type BlockBuilder, createBlockBuilder } from "../block-builder";
import type { Heading, ParsedDocument, TextBlock } from "../document-part";
import { readHtmlFragment } from "../html/read-html";
import { normalizeLineEnds } from "../line-ends";
import { addBlock, toHeadingLevel } from "./block-text";
import { readFrontMatter } from "./front-matter";
import { addInline } from "./inline-text";
import { childrenOf, type MarkdownNode, type MarkdownSource, parseMarkdown, toRange } from "./markdown-tree";

/**
 * Reads CommonMark with GitHub's tables, strikethrough, autolinks and footnotes, and front matter.
 *
 * @throws UnreadableError for quotations and lists that are nested too deeply.
 */
export function readMarkdown(source: string): ParsedDocument {
	const { text, restore } = normalizeLineEnds(source);
	const matter = readFrontMatter(text);
	const markdown = parseMarkdown(text, matter?.end);
	const parts = childrenOf(markdown.root).flatMap((node) => toParts(markdown, node));
	return restore({ title: matter?.title, parts });
}

/** Reads MDX, Markdown with JSX, without its imports and exports. */
export function readMdx(source: string): ParsedDocument {
	const { title, parts } = readMarkdown(source);
	return {
		title,
		parts: parts.filter(({ kind, text }) => kind === "heading" || !/^(?:import|export) /.test(text)),
	};
}

function toParts(source: MarkdownSource, node: MarkdownNode): (Heading | TextBlock)[] {
	const level = toHeadingLevel(node.name);
	if (level !== undefined) return toHeading(source, node, level);
	if (node.name === "Blockquote") return childrenOf(node).flatMap((child) => toParts(source, child));
	if (node.name === "HTMLBlock") return readHtmlFragment(source.text, toRange(node));
	const block = build(source, (builder) => addBlock(builder, source, node));
	if (block === undefined) return [];
	return [node.name === "Table" ? { ...block, lead: readFirstLine(block), splitAt: "line" } : block];
}

function toHeading(source: MarkdownSource, node: MarkdownNode, level: number): Heading[] {
	const block = build(source, (builder) => addInline(builder, source, node, findTextEnd(source, node)));
	const text = block?.text.replace(/\s*\{#[^}]*\}$/, "") ?? "";
	return text === "" ? [] : [{ kind: "heading", level, text, ...toRange(node) }];
}

/** End of a heading's text: the line of marks below it can begin with those of a quotation. */
function findTextEnd({ text }: MarkdownSource, { name, to }: MarkdownNode): number {
	return name.startsWith("Setext") ? text.lastIndexOf("\n", to - 1) : to;
}

const readFirstLine = ({ text }: TextBlock): string => text.split("\n", 1)[0] ?? "";

function build({ text }: MarkdownSource, fill: (builder: BlockBuilder) => void): TextBlock | undefined {
	const builder = createBlockBuilder(text);
	fill(builder);
	return builder.finish();
}
