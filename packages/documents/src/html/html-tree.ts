/** Text of a page, decoded, with where it stands in the source. */
export interface HtmlText {
	readonly kind: "text";
	value: string;
	readonly start: number;
	end: number;
}

/** Element of a page. Of its attributes, those that readers of text ask for are kept. */
export interface HtmlElement {
	readonly kind: "element";
	readonly tagName: string;
	readonly attributes: readonly HtmlAttribute[];
	readonly parent: HtmlParent | undefined;
	readonly children: HtmlNode[];
	/** Range of its start tag in the source. */
	readonly start: number;
	readonly end: number;
}

export interface HtmlAttribute {
	readonly name: string;
	readonly value: string;
}

/** Whole page, or part of one. */
export interface HtmlRoot {
	readonly kind: "root";
	readonly children: HtmlNode[];
}

/** Comment: it shows nothing, but parts the texts at its sides. */
export interface HtmlComment {
	readonly kind: "comment";
}

export type HtmlNode = HtmlText | HtmlElement | HtmlComment;
export type HtmlParent = HtmlElement | HtmlRoot;

/** Attributes that are kept. */
export const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(["alt", "aria-hidden", "hidden", "href", "role"]);
