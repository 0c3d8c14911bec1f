import { decodeHTML } from "entities";
import type { HtmlElement } from "../html-tree";
import { appendElement } from "./open-elements";
import type { PlainPage } from "./plain-page";
import { normalizeText, scanTag, type Tag } from "./tag-scanner";

/** Tags in the content of a list of choices. */
const CHOICE_TAGS = new Set(["option", "optgroup"]);
/** Tags in the content of a drawing; others can be HTML again. */
const DRAWING_TAGS = new Set(
	(
		"circle clippath defs ellipse filter g line lineargradient mask path pattern polygon polyline radialgradient rect " +
		"stop symbol text tspan use"
	).split(" "),
);
/** Tags in the content of a drawing in which HTML can stand; here, text. */
const LABEL_TAGS = new Set(["title", "desc"]);
/**
 * Adds an element whose content is no text to read, or (of a title) text without tags.
 *
 * @returns offset after its end tag; -1 where only a full parser knows where that is.
 */
export function appendOpaque(page: PlainPage, tag: Tag, parent: HtmlElement | undefined): number {
	const { source } = page;
	if (tag.attributes.some(({ name, value }) => name === "role" && value === "main")) return -1;
	const end = tag.rule.kind === "raw" ? findRawEnd(source, tag) : findContentEnd(source, tag);
	const endTag = end === -1 ? undefined : scanTag(source, end);
	if (endTag === undefined) return -1;
	const element = appendElement(page.open, tag, parent);
	if (tag.rule.name === "title" && tag.end < end) {
		const value = decodeHTML(normalizeText(source.slice(tag.end, end)));
		element.children.push({ kind: "text", value, start: tag.end, end });
	}
	return endTag.end;
}

/** Offset of the end tag of an element without tags in it. */
function findRawEnd(source: string, { rule: { name }, end }: Tag): number {
	const endTag = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
	endTag.lastIndex = end;
	const found = endTag.exec(source)?.index ?? -1;
	return found !== -1 && name === "script" && hasNestedScript(source.slice(end, found)) ? -1 : found;
}

/** Checks for a script in a comment of a script: the first end tag after it does not end the outer one. */
function hasNestedScript(script: string): boolean {
	const comment = script.indexOf("<!--");
	return comment !== -1 && script.toLowerCase().includes("<script", comment);
}

/** Offset of the end tag of an element in which only some tags stand. */
function findContentEnd(source: string, { rule: { name, kind }, end, isSelfClosing }: Tag): number {
	if (isSelfClosing) return -1;
	const known = kind === "choice" ? CHOICE_TAGS : DRAWING_TAGS;
	let label: string | undefined;
	for (let start = source.indexOf("<", end); start !== -1; ) {
		const tag = scanTag(source, start);
		if (tag === undefined || tag.attributes.some((attribute) => attribute.name === "role")) return -1;
		const isEndOfLabel = tag.isEnd && tag.rule.name === label;
		if (label !== undefined && !isEndOfLabel) return -1;
		label = undefined;
		if (tag.isEnd && tag.rule.name === name) return start;
		if (kind === "drawing" && LABEL_TAGS.has(tag.rule.name) && !tag.isSelfClosing) {
			if (!isEndOfLabel && tag.isEnd) return -1;
			if (!isEndOfLabel) label = tag.rule.name;
		} else if (!known.has(tag.rule.name)) return -1;
		start = source.indexOf("<", tag.end);
	}
	return -1;
}
