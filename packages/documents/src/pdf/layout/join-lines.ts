import type { ExtractedText } from "../../text-extraction";

const HYPHEN_AT_END = /(?<=\p{L}{2})[-\u00AD\u2010]$/u;
const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、：；！？」）]$/u;

/** Lists the words of texts that have a hyphen within a line, in lower case: they keep it at the end of one, too. */
export function findCompounds(texts: readonly string[]): ReadonlySet<string> {
	return new Set(texts.flatMap((text) => text.toLowerCase().match(/\p{L}+(?:-\p{L}+)+/gu) ?? []));
}

/**
 * Joins words that are hyphenated at the ends of lines. The whole word belongs to the line where it begins.
 *
 * @param compounds - words that have a hyphen of their own.
 */
export function joinHyphenated(
	lines: readonly ExtractedText[],
	compounds: ReadonlySet<string>,
): ExtractedText[] {
	const joined: ExtractedText[] = [];
	for (const line of lines) {
		const last = joined.at(-1);
		const [start = ""] = /^\p{Ll}\S*/u.exec(line.text) ?? [];
		if (last === undefined || start === "" || !HYPHEN_AT_END.test(last.text)) {
			joined.push(line);
			continue;
		}
		joined[joined.length - 1] = { ...last, text: joinWord(last.text, start, compounds) };
		const rest = line.text.slice(start.length).trim();
		if (rest !== "") joined.push({ ...line, text: rest });
	}
	return joined;
}

function joinWord(line: string, start: string, compounds: ReadonlySet<string>): string {
	const [end = ""] = /[\p{L}-]+$/u.exec(line) ?? [];
	const [word = ""] = /^[\p{L}-]+/u.exec(start) ?? [];
	const isCompound = compounds.has((end + word).toLowerCase());
	return (isCompound ? line : line.replace(HYPHEN_AT_END, "")) + start;
}

/** Separator of the lines of a paragraph: none in scripts without blanks. */
export function toSeparator(lines: readonly ExtractedText[]): "" | " " {
	const unspaced = lines.filter(({ text }) => UNSPACED_END.test(text)).length;
	return unspaced > lines.length / 2 ? "" : " ";
}
