import { toArabicBase } from "./stems";

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Runs of scripts whose words are not spaced, or carry their grammar with them, and of others. */
const SCRIPT_RUN =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
const STARTS_UNSPACED =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
/** Letters with marks that only colour them; in other scripts a mark makes another letter. */
const COLOURED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}])\p{M}+/gu;
/** Letters that are written in several ways, and the line that stretches Arabic words. */
const SPELLINGS: Readonly<Record<string, string>> = {
	ß: "ss",
	ı: "i",
	"е\u0308": "е",
	ى: "ي",
	ة: "ه",
	"\u0640": "",
};
const SPELLED = /[ßıىة\u0640]|е\u0308/gu;
const PART_CHARACTERS = 4;
const HAN = /\p{Script=Han}/u;

/**
 * The words of a text, in order, without case, accents and variants of one character; pairs of characters where words
 * are not spaced.
 */
export function toFoldedWords(text: string): string[] {
	const folded = text
		.toLowerCase()
		.normalize("NFKD")
		.replace(COLOURED, "$1")
		.replace(SPELLED, (letter) => SPELLINGS[letter] ?? letter)
		.normalize("NFKC");
	return (folded.match(WORD) ?? []).flatMap((word) => (word.match(SCRIPT_RUN) ?? []).flatMap(toRunWords));
}

function toRunWords(run: string): string[] {
	if (!STARTS_UNSPACED.test(run)) return [run];
	const characters = [...run];
	if (characters.length === 1) return characters;
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * Parts of a word that words of one root have in common, with any ending and in any compound: its beginning and its runs
 * of four characters. Half of the parts of a pair of characters are the whole pair, because some pairs join two words.
 */
export function toWordParts(word: string): string[] {
	const characters = [...toArabicBase(word)];
	if (STARTS_UNSPACED.test(word))
		return [word, word, ...characters.filter((character) => HAN.test(character))];
	const runs = Math.max(1, characters.length - PART_CHARACTERS + 1);
	const parts = Array.from({ length: runs }, (_, index) =>
		characters.slice(index, index + PART_CHARACTERS).join(""),
	);
	return [`^${parts[0]}`, ...parts];
}
