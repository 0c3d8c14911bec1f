import type { CellKind } from "./grid";

/** Number with sign, brackets, separators, currency or unit: `-1`, `(1,164)`, `€ 1.234,50`, `12 %`, `1.5e3`, `25 CHF`. */
const NUMBER =
	/^[-+−(]?\s*\p{Sc}?\s*[-+−]?[.,]?\d[\d.,'’\u00a0\u202f ]*(?:e[-+]?\d+)?\s*(?:%|‰|\p{Sc}|[A-Z]{3})?\s*\)?$/iu;
const DATE =
	/^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ]\d{1,2}:\d{2}.*)?$/u;
const TIME = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?$/iu;
const OTHER = /^(?:true|false|n\/a|[-–—.?]+|#[A-Z/0]+[!?]?|\S+@\S+\.\S+|https?:\/\/\S+)$/iu;
/** Longer texts are no values; it also bounds the work of the patterns. */
const MAX_VALUE_CHARACTERS = 60;

/** Kind of a value that is written as text, as in CSV. */
export function kindOfText(text: string): CellKind {
	const value = text.trim();
	if (value.length > MAX_VALUE_CHARACTERS) return "text";
	if (DATE.test(value) || TIME.test(value)) return "date";
	if (NUMBER.test(value)) return "number";
	return OTHER.test(value) ? "other" : "text";
}

/** Tells whether a text is a year, which names a column as often as it is a value. */
export const isYear = (text: string): boolean => /^(?:19|20|21)\d\d$/u.test(text.trim());
