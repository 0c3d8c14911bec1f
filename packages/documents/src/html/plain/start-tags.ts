import { appendOpaque } from "./opaque-elements";
import {
	appendElement,
	close,
	closeAll,
	closeCell,
	closeParagraph,
	currentElement,
	currentRule,
	findInScope,
	type OpenElements,
	openElement,
	toImpliedTag,
} from "./open-elements";
import type { PlainPage } from "./plain-page";
import type { TagKind, TagRule } from "./tag-rules";
import type { Tag } from "./tag-scanner";

/** Kinds of elements in which only parts of a table stand. */
const TABLE_KINDS: ReadonlySet<TagKind> = new Set(["table", "section", "row", "columns"]);

/** Checks whether only parts of a table may come next. */
export const isInTable = (open: OpenElements): boolean =>
	TABLE_KINDS.has(currentRule(open)?.kind ?? "inline");

/**
 * Adds the element of a start tag.
 *
 * @returns offset after the tag, or after the content of an element that is not read; -1 where only a full parser knows what
 * a browser makes of it.
 */
export function addStartTag(page: PlainPage, tag: Tag): number {
	page.isAfterBody = false;
	if (page.phase !== "body") return addBeforeBody(page, tag);
	if (isInTable(page.open)) return addInTable(page, tag);
	return addInBody(page, tag);
}

/** Opens the body, where its tag was left out. */
export function openBody(page: PlainPage, offset: number): void {
	if (page.phase === "before-head") openHead(page, toImpliedTag("head", offset));
	if (page.phase === "head") closeHead(page);
	openElement(page.open, toImpliedTag("body", offset));
	page.phase = "body";
}

/** Ends the head. */
export function closeHead(page: PlainPage): void {
	closeAll(page.open, 1);
	page.phase = "after-head";
}

function openHtml({ root, open }: PlainPage, tag: Tag): void {
	if (open.elements.length === 0) root.children.push(openElement(open, tag));
}

function openHead(page: PlainPage, tag: Tag): void {
	openHtml(page, toImpliedTag("html", tag.start));
	page.head = openElement(page.open, tag);
	page.phase = "head";
}

function addBeforeBody(page: PlainPage, tag: Tag): number {
	const { name, kind } = tag.rule;
	const { open } = page;
	if (name === "html") {
		if (open.elements.length > 0) return -1;
		openHtml(page, tag);
		return tag.end;
	}
	if (page.phase === "before-head") {
		openHead(page, name === "head" ? tag : toImpliedTag("head", tag.start));
		if (name === "head") return tag.end;
	}
	if (name === "head") return -1;
	if (isForHead(page, tag.rule)) {
		if (kind === "raw") return appendOpaque(page, tag, page.head);
		appendElement(open, tag, page.head);
		return tag.end;
	}
	if (page.phase === "head") closeHead(page);
	if (name === "body") openElement(open, tag);
	else openBody(page, tag.start);
	page.phase = "body";
	return name === "body" ? tag.end : addInBody(page, tag);
}

/** Checks for elements that belong to the head, even after its end. */
function isForHead({ phase }: PlainPage, { name, kind }: TagRule): boolean {
	if (kind === "metadata") return true;
	return (
		name === "script" || name === "style" || name === "title" || (name === "noscript" && phase === "head")
	);
}

function addInBody(page: PlainPage, tag: Tag): number {
	const { open } = page;
	const { name, kind } = tag.rule;
	switch (kind) {
		case "void":
		case "metadata":
			appendElement(open, tag);
			return tag.end;
		case "rule":
			if (!closeParagraph(open)) return -1;
			appendElement(open, tag);
			return tag.end;
		case "raw":
		case "choice":
		case "drawing":
			return appendOpaque(page, tag, currentElement(open));
		case "caption":
		case "columns":
		case "column":
		case "section":
		case "row":
		case "cell":
			return closeCell(open) ? addInTable(page, tag) : -1;
		case "page":
		case "odd":
			return -1;
		default:
			if (!prepare(page, name, kind)) return -1;
			openElement(open, tag);
			return tag.end;
	}
}

/** Closes what an element ends that begins. @returns `false` where only a full parser knows. */
function prepare(page: PlainPage, name: string, kind: TagKind): boolean {
	const { open } = page;
	switch (kind) {
		case "block":
			return closeParagraph(open);
		case "preformatted":
			page.skipsLineEnd = true;
			return closeParagraph(open);
		case "heading":
			if (!closeParagraph(open)) return false;
			if (currentRule(open)?.kind === "heading") closeAll(open, open.rules.length - 1);
			return true;
		case "list-item":
		case "definition":
			return closeItem(open, kind) && closeParagraph(open);
		case "form":
			if (page.isFormOpen) return false;
			page.isFormOpen = true;
			return closeParagraph(open);
		case "button":
			return findInScope(open, "button") === -1;
		case "formatting":
			return name !== "a" || !open.rules.some((rule) => rule.name === "a");
		case "table":
			return page.isQuirky || closeParagraph(open);
		default:
			return true;
	}
}

/** Closes the item before one of the same kind, in the same list. */
function closeItem(open: OpenElements, kind: TagKind): boolean {
	for (let index = open.rules.length - 1; index >= 0; index--) {
		const rule = open.rules[index];
		if (rule === undefined || rule.kind === kind) return close(open, index);
		const { name } = rule;
		if (rule.isSpecial && name !== "address" && name !== "div" && name !== "p") return true;
	}
	return true;
}

/** Elements that are implied before a part of a table, by what is open. */
const IMPLIED: Readonly<Partial<Record<TagKind, Partial<Record<TagKind, string>>>>> = {
	cell: { table: "tbody", section: "tr" },
	row: { table: "tbody" },
	column: { table: "colgroup" },
};

/** Elements in which each part of a table stands. */
const PARENTS: Readonly<Partial<Record<TagKind, TagKind>>> = {
	cell: "row",
	row: "section",
	section: "table",
	caption: "table",
	columns: "table",
	column: "columns",
};

function addInTable(page: PlainPage, tag: Tag): number {
	const { open } = page;
	const { name, kind } = tag.rule;
	if (name === "script" || name === "style") {
		if (currentRule(open)?.kind === "columns") closeAll(open, open.rules.length - 1);
		return appendOpaque(page, tag, currentElement(open));
	}
	const parent = PARENTS[kind];
	if (parent === undefined) return -1;
	for (let current = currentRule(open)?.kind; current !== parent; current = currentRule(open)?.kind) {
		const implied = current === undefined ? undefined : IMPLIED[kind]?.[current];
		if (implied !== undefined) openElement(open, toImpliedTag(implied, tag.start));
		else if (current === "table" || !isInTable(open)) return -1;
		else closeAll(open, open.rules.length - 1);
	}
	if (kind === "column") appendElement(open, tag);
	else openElement(open, tag);
	return tag.end;
}
