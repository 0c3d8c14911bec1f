import type { HtmlAttribute, HtmlElement, HtmlNode } from "../html-tree";
import { findTagRule, type TagRule } from "./tag-rules";
import type { Tag } from "./tag-scanner";

/** Elements whose end has not come yet, outermost first, each with the rules of its tag. */
export interface OpenElements {
	readonly elements: HtmlElement[];
	readonly rules: TagRule[];
}

/** Kind of a scope: elements that end the search for one that is open (HTML, "Has an element in the specific scope"). */
export type ScopeKind = "default" | "button" | "list-item" | "table";

const NO_ATTRIBUTES: readonly HtmlAttribute[] = [];

export const currentElement = ({ elements }: OpenElements): HtmlElement | undefined => elements.at(-1);
export const currentRule = ({ rules }: OpenElements): TagRule | undefined => rules.at(-1);

/** Adds an element to the one that is open, or to `siblings`, without opening it. */
export function appendElement(
	open: OpenElements,
	{ rule, attributes, start, end }: Tag,
	parent = currentElement(open),
): HtmlElement {
	const children: HtmlNode[] = [];
	const element: HtmlElement = {
		kind: "element",
		tagName: rule.name,
		attributes,
		parent,
		children,
		start,
		end,
	};
	parent?.children.push(element);
	return element;
}

/** Opens an element. */
export function openElement(open: OpenElements, tag: Tag): HtmlElement {
	const element = appendElement(open, tag);
	open.elements.push(element);
	open.rules.push(tag.rule);
	return element;
}

/** Tag that is implied at an offset. */
export const toImpliedTag = (name: string, offset: number): Tag => ({
	rule: findTagRule(name),
	isEnd: false,
	isSelfClosing: false,
	attributes: NO_ATTRIBUTES,
	start: offset,
	end: offset,
});

/** Index of the innermost open element of a name; -1 where there is none in its scope. */
export function findInScope({ rules }: OpenElements, name: string, scope: ScopeKind = "default"): number {
	for (let index = rules.length - 1; index >= 0; index--) {
		const rule = rules[index];
		if (rule === undefined || rule.name === name) return index;
		if (endsScope(rule, scope)) return -1;
	}
	return -1;
}

function endsScope({ name, kind, endsScope: endsDefault }: TagRule, scope: ScopeKind): boolean {
	if (scope === "table") return kind === "table" || name === "html";
	if (endsDefault) return true;
	return scope === "button" ? kind === "button" : scope === "list-item" && (name === "ol" || name === "ul");
}

/** Closes an element and all within it. */
export function closeAll({ elements, rules }: OpenElements, index: number): void {
	elements.length = index;
	rules.length = index;
}

/**
 * Closes an element and all within it.
 *
 * @returns `false`, and closes nothing, where text after it would still be formatted by what is within it, or where `index`
 * is -1.
 */
export function close(open: OpenElements, index: number): boolean {
	const { rules } = open;
	if (index === -1) return false;
	for (let inner = index + 1; inner < rules.length; inner++)
		if (rules[inner]?.kind === "formatting") return false;
	closeAll(open, index);
	return true;
}

/** Closes the innermost elements whose end tags may be left out. */
export function closeImplied(open: OpenElements): void {
	let { length } = open.rules;
	while (open.rules[length - 1]?.hasImpliedEnd) length -= 1;
	closeAll(open, length);
}

/** Closes the innermost element if it is of a name. */
export function closeCurrent(open: OpenElements, name: string): boolean {
	if (currentRule(open)?.name !== name) return false;
	closeAll(open, open.rules.length - 1);
	return true;
}

/** Closes the paragraph that is open, if one is. @returns as {@link close}. */
export function closeParagraph(open: OpenElements): boolean {
	const index = findInScope(open, "p", "button");
	return index === -1 || close(open, index);
}

/** Closes the cell or caption that is open. @returns `false` where none is. */
export function closeCell(open: OpenElements): boolean {
	for (let index = open.rules.length - 1; index >= 0; index--) {
		const kind = open.rules[index]?.kind;
		if (kind === "table") return false;
		if (kind !== "cell" && kind !== "caption") continue;
		closeAll(open, index);
		return true;
	}
	return false;
}
