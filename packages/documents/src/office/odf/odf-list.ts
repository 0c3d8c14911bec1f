import { toNumberText } from "../number-text";
import type { OdfStyles } from "./odf-styles";

/** Numbers of the items of one list, over all its levels. */
export interface OdfListMarks {
	/** @param startAt - number that the item says it has. @returns the mark: `1.`, `a)`, `-`; empty where it has none. */
	next(style: string | undefined, level: number, startAt?: number): string;
}

export function createOdfListMarks(styles: OdfStyles): OdfListMarks {
	const counters: number[] = [];
	return {
		next(style, level, startAt) {
			const own = styles.findListLevel(style, level);
			counters.length = Math.min(counters.length, level + 1);
			counters[level] = startAt ?? (counters[level] ?? own.start - 1) + 1;
			if (own.format === undefined) return "-";
			const numbers: string[] = [];
			for (let shown = Math.max(0, level - own.shownLevels + 1); shown <= level; shown++) {
				const { format = "1", start } = styles.findListLevel(style, shown);
				numbers.push(toNumberText(counters[shown] ?? start, format));
			}
			const number = numbers.filter(Boolean).join(".");
			return number === "" ? "" : own.prefix + number + own.suffix.trimEnd();
		},
	};
}
