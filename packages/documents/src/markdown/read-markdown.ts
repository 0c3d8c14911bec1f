import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import { type BlockBuilder, createBlockBuilder } from "../block-builder";
import type { Heading, ParsedDocument, TextBlock } from "../document-part";
import { readHtmlFragment } from "../html/read-html";
import { readFrontMatterTitle } from "./front-matter";
import { limitMarkdown } from "./limit-markdown";
import { patchEditMap } from "./linear-edits";
import { addInline, addList, addTable, type MarkdownNode, toRange } from "./markdown-text";

/**
 * Reads CommonMark with GitHub's tables, strikethrough, autolinks and footnotes, and front matter.
 *
 * @throws UnreadableError for quotations and lists that are nested too deeply.
 */
export function readMarkdown(source: string): ParsedDocument {
	patchEditMap();
	const root = fromMarkdown(source, {
		extensions: [gfm(), frontmatter(["yaml", "toml"]), limitMarkdown()],
		mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(["yaml", "toml"])],
	});
	const matter = root.children.find(({ type }) => type === "yaml" || (type as string) === "toml");
	const title = matter !== undefined && "value" in matter ? readFrontMatterTitle(matter.value) : undefined;
	return { title, parts: root.children.flatMap((node) => toParts(source, node)) };
}

/** Reads MDX, Markdown with JSX, without its imports and exports. */
export function readMdx(source: string): ParsedDocument {
	const { title, parts } = readMarkdown(source);
	return {
		title,
		parts: parts.filter(({ kind, text }) => kind === "heading" || !/^(?:import|export) /.test(text)),
	};
}

function toParts(source: string, node: MarkdownNode): (Heading | TextBlock)[] {
	switch (node.type) {
		case "heading": {
			const block = build(source, (builder) => addInline(builder, node.children));
			const text = block?.text.replace(/\s*\{#[^}]*\}$/, "") ?? "";
			return text === "" ? [] : [{ kind: "heading", level: node.depth, text, ...toRange(node) }];
		}
		case "blockquote":
		case "footnoteDefinition":
			return node.children.flatMap((child) => toParts(source, child));
		case "html":
			return readHtmlFragment(source, toRange(node));
		default: {
			const block = build(source, (builder) => addBlock(builder, node));
			return block === undefined ? [] : [block];
		}
	}
}

function build(source: string, fill: (builder: BlockBuilder) => void): TextBlock | undefined {
	const builder = createBlockBuilder(source);
	fill(builder);
	return builder.finish();
}

function addBlock(builder: BlockBuilder, node: MarkdownNode): void {
	if (node.type === "paragraph") addInline(builder, node.children);
	else if (node.type === "list") addList(builder, node);
	else if (node.type === "table") addTable(builder, node);
	else if (node.type === "code") builder.addLines(node.value, toRange(node));
}
