import { visibleText } from "@stemma/core/internal";

/** Text that comes in pieces, as a terminal may show it. */
export interface VisibleStream {
	/** Adds a piece. @returns the text that can be shown now: how the end of a piece looks may depend on what follows. */
	add(piece: string): string;
	/** The rest. */
	end(): string;
}

/** Invisible characters whose meaning depends on the characters around them. */
const STARTS_INVISIBLE = /^(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]/u;
/** Characters that join with nothing before them: ASCII, but for digits, # and *, which may become keycaps. */
const IS_PLAIN = /^[\t\n !"$-)+-/:-~]/;

/** Maximum number of characters of invisible text that are held back. */
const MAX_HELD_CHARACTERS = 512;

const RIGHT_TO_LEFT = /[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

export function createVisibleStream(): VisibleStream {
	let pending = "";
	let isRightToLeft = false;
	const show = (text: string): string => {
		isRightToLeft ||= RIGHT_TO_LEFT.test(text);
		return visibleText(text, isRightToLeft);
	};
	return {
		add(piece) {
			const text = pending + piece;
			const from = findOpenEnd(text);
			pending = text.slice(from);
			return show(text.slice(0, from));
		},
		end() {
			const rest = show(pending);
			pending = "";
			return rest;
		},
	};
}

/**
 * Finds the start of the end of a text that the next text may change: characters with something hidden between or
 * behind them.
 */
function findOpenEnd(text: string): number {
	let at = text.length;
	// Half a character may become a hidden one.
	if (/[\ud800-\udbff]$/.test(text)) at -= 1;
	else if (IS_PLAIN.test(text.slice(-1))) return at;
	while (text.length - at < MAX_HELD_CHARACTERS) {
		while (STARTS_INVISIBLE.test(characterBefore(text, at)) && text.length - at < MAX_HELD_CHARACTERS)
			at -= characterBefore(text, at).length;
		at -= characterBefore(text, at).length;
		if (!STARTS_INVISIBLE.test(characterBefore(text, at))) break;
	}
	return at;
}

const characterBefore = (text: string, at: number): string => {
	const pair = text.slice(Math.max(0, at - 2), at);
	return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
};
