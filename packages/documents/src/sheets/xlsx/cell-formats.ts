import { format, getFormatFromId, isDateFormat } from "numfmt";
import type { GridCell } from "../grid";
import type { CellStyle } from "./read-styles";

/** Text and kind of a number as its cell shows it. */
export type ShownNumber = Pick<GridCell, "text" | "kind">;

/** Number formats of a workbook. */
export interface CellFormats {
	isBold(style: number): boolean;
	show(value: number, style: number): ShownNumber;
}

/** Days between the dates of 1900 and those of 1904. */
const DAYS_TO_1904 = 1462;
/** Formats that follow the settings of the reader's machine; in a text they are in the order of ISO 8601. */
const MACHINE_DATE = /^m\/d\/yyyy/u;
const ISO_DATE = "yyyy-mm-dd";
/** Integers up to this are shown with all their digits, as in a column that is wide enough. */
const MAX_DIGITS_VALUE = 1e15;

export function createCellFormats(styles: readonly CellStyle[], isDate1904: boolean): CellFormats {
	const patterns = styles.map(toPattern);
	return {
		isBold: (style) => styles[style]?.isBold ?? false,
		show(value, style) {
			const { pattern, isDate } = patterns[style] ?? GENERAL;
			const serial = isDate && isDate1904 ? value + DAYS_TO_1904 : value;
			return { text: showNumber(serial, pattern), kind: isDate ? "date" : "number" };
		},
	};
}

interface Pattern {
	readonly pattern: string;
	readonly isDate: boolean;
}

const GENERAL: Pattern = { pattern: "General", isDate: false };

function toPattern({ formatId, formatCode }: CellStyle): Pattern {
	const pattern = formatCode ?? getFormatFromId(formatId).replace(MACHINE_DATE, ISO_DATE);
	try {
		return { pattern, isDate: isDateFormat(pattern) };
	} catch {
		return GENERAL;
	}
}

/** A number in a format, with the separators of English; as it is where the format is not valid. */
function showNumber(value: number, pattern: string): string {
	if (pattern === "General" && Number.isInteger(value) && Math.abs(value) < MAX_DIGITS_VALUE)
		return String(value);
	try {
		return format(pattern, value, { nbsp: false }).trim();
	} catch {
		return String(value);
	}
}
