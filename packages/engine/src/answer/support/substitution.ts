import { UNSPACED } from "./normalize";
import type { Sentence } from "./sentence";

/** Terms in a row that stand in the place of others. */
const MAX_SUBSTITUTED = 3;

/**
 * Checks whether a claim has other characters in the place of some, with the same before and behind them: 买家 for 卖家. What
 * was only added or left out is not taken for that.
 */
export function substitutesCharacters(
	{ terms }: Sentence,
	found: readonly boolean[],
	letters: string,
): boolean {
	const text = letters.replaceAll(" ", "");
	for (let first = 0; first < terms.length; first++) {
		if (found[first] !== false || found[first - 1] === false) continue;
		let last = first;
		while (found[last + 1] === false) last++;
		const count = last - first;
		const [before = ""] = terms[first] ?? "";
		const after = [...(terms[last] ?? "")].at(-1) ?? "";
		if (count < 1 || count > MAX_SUBSTITUTED || !UNSPACED.test(before) || !UNSPACED.test(after)) continue;
		for (let at = text.indexOf(before); at !== -1; at = text.indexOf(before, at + 1))
			if (text[at + count + 1] === after) return true;
	}
	return false;
}
