import {
	close,
	closeAll,
	closeCell,
	closeCurrent,
	closeImplied,
	currentRule,
	findInScope,
	type OpenElements,
} from "./open-elements";
import type { PlainPage } from "./plain-page";
import { closeHead, isInTable } from "./start-tags";
import type { Tag } from "./tag-scanner";

/**
 * Closes what an end tag closes.
 *
 * @returns `false` where only a full parser knows what a browser makes of it.
 */
export function addEndTag(page: PlainPage, { rule: { name, kind } }: Tag): boolean {
	const { open } = page;
	if (page.phase !== "body") {
		if (page.phase !== "head" || name !== "head") return false;
		closeHead(page);
		return true;
	}
	if (isInTable(open)) return closeInTable(open, name);
	if (kind === "page") {
		page.isAfterBody = name !== "head" && findInScope(open, "body") !== -1;
		return page.isAfterBody;
	}
	page.isAfterBody = false;
	if (kind === "form") page.isFormOpen = false;
	return closeInBody(page, name, kind);
}

function closeInBody({ open }: PlainPage, name: string, kind: Tag["rule"]["kind"]): boolean {
	switch (kind) {
		case "block":
		case "preformatted":
		case "button":
		case "object":
			return close(open, findInScope(open, name, name === "p" ? "button" : "default"));
		case "list-item":
			return close(open, findInScope(open, name, "list-item"));
		case "definition":
			return close(open, findInScope(open, name));
		case "heading":
		case "form":
			closeImplied(open);
			return closeCurrent(open, name);
		case "formatting":
			return closeCurrent(open, name);
		case "inline":
			return close(open, findInline(open, name));
		case "caption":
		case "cell": {
			const index = findInScope(open, name, "table");
			if (index !== -1) closeAll(open, index);
			return index !== -1;
		}
		case "table":
		case "section":
		case "row":
			return closeCell(open) && closeInTable(open, name);
		default:
			return false;
	}
}

/** Index of the innermost open element of a name, unless a special one is within it. */
function findInline({ rules }: OpenElements, name: string): number {
	for (let index = rules.length - 1; index > 0; index--) {
		const rule = rules[index];
		if (rule === undefined || rule.name === name) return index;
		if (rule.isSpecial) return -1;
	}
	return -1;
}

/** Closes a part of a table, in which no cell is open. */
function closeInTable(open: OpenElements, name: string): boolean {
	const kind = currentRule(open)?.kind;
	if (name === "tr" || name === "colgroup") return closeCurrent(open, name);
	const isSection = name === "tbody" || name === "thead" || name === "tfoot";
	if (name !== "table" && (!isSection || kind === "columns")) return false;
	return close(open, findInScope(open, name, "table"));
}
