import { visibleText } from "@stemma/client";
import { createElement, Fragment, memo, type ReactNode } from "react";
import { toSafeUrl } from "../safe-url";
import { type MarkdownBlock, parseBlocks } from "./parse-blocks";
import { type MarkdownInline, parseInline } from "./parse-inline";

/** Props of {@link Markdown}. */
export interface MarkdownProps {
	readonly text: string;
	/** Renders the number of a source, `[1]`. Default: as text. */
	readonly renderReference?: ((n: number) => ReactNode) | undefined;
}

type Render = (text: string) => ReactNode;

/**
 * Text of an answer: paragraphs, headings, lists, quotes, code, emphasis and links, as elements of React. HTML is shown as
 * text, images as their description, links with their host; what cannot be seen is taken out or shown, as `visibleText`
 * does.
 */
export const Markdown = memo(({ text, renderReference }: MarkdownProps) => {
	const renderText = (part: string): ReactNode => renderInline(part, renderReference, MAX_INLINE_NESTING);
	return <>{renderBlocks(parseBlocks(visibleText(text)), renderText)}</>;
});
Markdown.displayName = "Markdown";

/** Emphasis within emphasis and links, at most. */
const MAX_INLINE_NESTING = 4;

const renderBlocks = (blocks: readonly MarkdownBlock[], renderText: Render): ReactNode =>
	blocks.map((block, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: while a text is written, blocks are only added at its end.
		<Fragment key={index}>{renderBlock(block, renderText)}</Fragment>
	));

function renderBlock(block: MarkdownBlock, renderText: Render): ReactNode {
	switch (block.type) {
		case "heading":
			// Below the headings of the page.
			return createElement(`h${Math.min(6, block.level + 2)}`, { dir: "auto" }, renderText(block.text));
		case "code":
			return (
				<pre>
					<code>{block.text}</code>
				</pre>
			);
		case "quote":
			return <blockquote>{renderBlocks(block.blocks, renderText)}</blockquote>;
		case "list":
			return renderList(block, renderText);
		case "rule":
			return <hr />;
		default:
			return <p dir="auto">{renderText(block.text)}</p>;
	}
}

function renderList(
	{ start, items }: MarkdownBlock & { readonly type: "list" },
	renderText: Render,
): ReactNode {
	const children = items.map((blocks, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: while a text is written, items are only added at its end.
		<li key={index} dir="auto">
			{renderItem(blocks, renderText)}
		</li>
	));
	return start === undefined ? <ul>{children}</ul> : <ol start={start}>{children}</ol>;
}

/** The first line of an item is no paragraph of its own. */
function renderItem([first, ...others]: readonly MarkdownBlock[], renderText: Render): ReactNode {
	if (first?.type !== "paragraph")
		return renderBlocks(first === undefined ? [] : [first, ...others], renderText);
	return (
		<>
			{renderText(first.text)}
			{renderBlocks(others, renderText)}
		</>
	);
}

function renderInline(
	text: string,
	renderReference: MarkdownProps["renderReference"],
	nesting: number,
): ReactNode {
	if (nesting === 0) return text;
	const renderPart = (part: MarkdownInline): ReactNode => {
		if (typeof part === "string") return part;
		if (part.type === "code") return <code>{part.text}</code>;
		if (part.type === "reference") return renderReference?.(part.n) ?? `[${part.n}]`;
		const children = renderInline(part.text, renderReference, nesting - 1);
		if (part.type === "link") return <MarkdownLink url={part.url}>{children}</MarkdownLink>;
		return part.type === "strong" ? <strong>{children}</strong> : <em>{children}</em>;
	};
	return parseInline(text).map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name.
		<Fragment key={index}>{renderPart(part)}</Fragment>
	));
}

/** A link shows its host: its text is the model's. An address of another kind is left out. */
function MarkdownLink({ url, children }: { readonly url: string; readonly children: ReactNode }) {
	const address = toSafeUrl(url);
	if (address === undefined) return children;
	return (
		<>
			<a href={address.href} target="_blank" rel="noopener noreferrer nofollow">
				{children}
			</a>
			{` (${address.host || address.pathname})`}
		</>
	);
}
