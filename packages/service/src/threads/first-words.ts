import { SHORT_TITLE_CHARACTERS } from "./thread-limits";

/** Title of a thread from a message: its first words, in one line. */
export function firstWords(text: string, maxCharacters = SHORT_TITLE_CHARACTERS): string {
	const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
	if (line.length <= maxCharacters) return line;
	const start = line.slice(0, maxCharacters);
	const lastSpace = start.lastIndexOf(" ");
	// Languages without spaces, and words without end, are cut where they are.
	const cut =
		lastSpace > maxCharacters / 2 ? start.slice(0, lastSpace) : start.replace(/[\uD800-\uDBFF]$/, "");
	return `${cut}…`;
}
