import type { Json } from "../json";

/** Characters that cannot be seen, or that change how others are seen: controls of direction, joiners, tags, odd spaces. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f\u00a0]/gu;

/**
 * JSON of a value, in lines, in which everything can be seen: what is invisible is written as an escape, `\u202e`, and is not
 * left out as by `visibleText`. For the arguments that somebody approves.
 */
export const toExactJson = (value: Json): string =>
	JSON.stringify(value, null, 2).replaceAll(INVISIBLE, escapeUnits);

const escapeUnits = (character: string): string =>
	Array.from({ length: character.length }, (_, index) => {
		const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
		return `\\u${unit}`;
	}).join("");
