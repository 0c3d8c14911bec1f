import type { HtmlElement, HtmlParent } from "../html-tree";
import type { OpenElements } from "./open-elements";

/** Part of a page that the parser has come to. */
export type PagePhase = "before-head" | "head" | "after-head" | "body";

/** Page that is being parsed. */
export interface PlainPage {
	readonly source: string;
	readonly root: HtmlParent;
	readonly open: OpenElements;
	phase: PagePhase;
	hasDoctype: boolean;
	/** Mode of a page without a doctype, in which a table does not end a paragraph. */
	isQuirky: boolean;
	head: HtmlElement | undefined;
	isFormOpen: boolean;
	/** The end of the body has come; what comes after it is still part of it. */
	isAfterBody: boolean;
	/** A line end that begins the next text is no part of it. */
	skipsLineEnd: boolean;
}
