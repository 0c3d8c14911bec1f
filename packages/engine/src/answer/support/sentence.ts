import { type CalendarWords, readCalendar } from "./calendar";
import { countNegations } from "./negation";
import { foldCharacters, splitWords, UNSPACED } from "./normalize";
import { readNumbers, toNumberOfWord } from "./numbers";
import { type Quantity, readQuantities } from "./quantities";
import { readRates, toUnit } from "./units";

/** A part of a text as it is compared with others. */
export interface Sentence {
	/** Words and pairs of characters that say what it is about, in order, in lower case. */
	readonly terms: readonly string[];
	/** All of its words, and pairs of characters, in lower case. */
	readonly words: ReadonlySet<string>;
	/** All of its words and numbers, in order, in lower case. */
	readonly sequence: readonly string[];
	/** Words that are names where nouns are written small: with a capital letter, or in letters among characters. */
	readonly names: readonly string[];
	/** Words of letters with digits, underscores or capitals within. */
	readonly identifiers: ReadonlySet<string>;
	/** Numbers, by their values. */
	readonly numbers: ReadonlySet<string>;
	/** Numbers with other readings of them. */
	readonly numberReadings: ReadonlySet<string>;
	/** Numbers with their units and limits. */
	readonly quantities: readonly Quantity[];
	/** Units that its words are. */
	readonly units: ReadonlySet<string>;
	/** Periods that something is counted by: per month. */
	readonly rates: ReadonlySet<string>;
	/** Days and months that are named. */
	readonly calendar: CalendarWords;
	/** Parts between commas that negate something. */
	readonly negated: readonly NegatedPart[];
	/** Letters and digits alone, with one blank between words. */
	readonly letters: string;
}

/** A part of a sentence that negates something. */
export interface NegatedPart {
	readonly terms: readonly string[];
	readonly count: number;
}

/** Words of fewer letters are mostly grammar. */
export const MIN_TERM_CHARACTERS = 4;
/** Grammar in languages with alphabets, of four letters and more. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
	(
		"that this these those with from into onto have been were will would shall should could must than then they them their there " +
		"when where which while what your ours also both each such very about during does under over between within after before " +
		"least more less older newer longer shorter minimum maximum uber unter mehr weniger alter mindestens hochstens maximal moins plus " +
		"eine einer eines einem einen oder aber auch sich sind wird werden wurde wurden durch sowie wenn dass diese dieser dieses seit nach beim bereits kann konnen muss " +
		"dans avec pour sont cette leur leurs elle elles nous vous mais donc comme par para como pero esta este esto estos estas desde hasta sobre peut doit etre " +
		"della delle degli dello nella nelle sono anche questo questa voor door deze zijn wordt worden naar " +
		"или если чтобы этот этого того тоже также может быть были было который которые которая для " +
		"على التي الذي هذا هذه ذلك كان كانت يكون olarak icin veya gibi daha olan bunu"
	).split(" "),
);

export function readSentence(text: string): Sentence {
	const folded = foldCharacters(text);
	const all = splitWords(folded).map((word) => word.toLowerCase());
	const words = all.filter((word) => !/^\d+$/.test(word));
	const { values, others } = readNumbers(folded);
	const small = folded.toLowerCase();
	// A word in letters says something in a text of characters, however short it is.
	const isUnspaced = UNSPACED.test(folded);
	const numbers = new Set([...values, ...words.flatMap((word) => toNumberOfWord(word) ?? [])]);
	return {
		terms: words.flatMap((word) => toTerms(word, isUnspaced)),
		sequence: all,
		words: new Set(words.flatMap((word) => (UNSPACED.test(word) ? toPairs(word) : [word]))),
		names: isUnspaced ? words.filter((word) => !UNSPACED.test(word)) : findNames(folded),
		identifiers: new Set(findIdentifiers(folded)),
		numbers,
		numberReadings: new Set([...numbers, ...others]),
		quantities: readQuantities(small),
		units: new Set(words.flatMap((word) => toUnit(word) ?? [])),
		rates: readRates(small),
		calendar: readCalendar(small),
		negated: findNegatedParts(small),
		letters: all.join(" "),
	};
}

/** Checks whether a word of an alphabet says something by itself. */
export const isContentWord = (word: string): boolean =>
	word.length >= MIN_TERM_CHARACTERS && !FUNCTION_WORDS.has(word);

function toTerms(word: string, isUnspaced = false): string[] {
	if (UNSPACED.test(word)) return toPairs(word).filter((pair) => !HIRAGANA.test(pair));
	if (toNumberOfWord(word) !== undefined) return [];
	const isTerm = isUnspaced || /\d/.test(word) || isContentWord(word);
	return isTerm ? [word] : [];
}

/** Pairs of hiragana alone are mostly grammar. */
const HIRAGANA = /^\p{Script=Hiragana}+$/u;

function toPairs(word: string): string[] {
	const characters = [...word];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Commas, cells of tables and words that begin a reason or a contrast. */
const CLAUSE_END =
	/[,;:|()，；：、،؛]|\s[–—-]\s|\s(?:because|although|whereas|but|weil|obwohl|denn|aber|sondern|parce qu|puisqu|mais|porque|aunque|pero)(?!\p{L})/u;

function findNegatedParts(text: string): NegatedPart[] {
	return text.split(CLAUSE_END).flatMap((part) => {
		const words = splitWords(part);
		const count = countNegations(part, words);
		const terms = words.flatMap((word) => toTerms(word));
		// "No" by itself answers a question, or is a cell.
		return count === 0 || terms.length === 0 ? [] : [{ terms, count }];
	});
}

const CAPITALIZED = /\p{Lu}[\p{L}\p{M}\p{N}]+/gu;
/** The end of what is before a word in the middle of a sentence. */
const MID_SENTENCE = /[\p{Ll}\p{N},;)%€$"'»”-]\s\(?["'«„“]?$/u;

const findNames = (text: string): string[] =>
	[...text.matchAll(CAPITALIZED)]
		.filter(({ index }) => MID_SENTENCE.test(text.slice(Math.max(0, index - 4), index)))
		.map(([word]) => word.toLowerCase());

const IDENTIFIER_CHARACTERS = /[\p{L}\p{N}_]{3,}/gu;
const LATIN = /^[\p{Script=Latin}\p{N}_]+$/u;

/** Words of Latin letters with digits, with underscores or with capital letters within. */
const findIdentifiers = (text: string): string[] =>
	(text.match(IDENTIFIER_CHARACTERS) ?? []).filter(
		(word) =>
			LATIN.test(word) &&
			!/^\d+k$/i.test(word) &&
			(/\p{Ll}\p{Lu}/u.test(word) || (/[\d_]/.test(word) && /\p{L}/u.test(word))),
	);
