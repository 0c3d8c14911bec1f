/** Text in which nothing has variants to be folded: Latin-1 without ß, or its letters with punctuation. */
const NOTHING_TO_FOLD = /^(?:[\0-\xde\xe0-\xff]*|[\0-\x7f\xc0-\xde\xe0-\xff–—‘’“”„•›]*)$/;

/** Letters that are written in several ways, and how the word index spells them; marks that may be left out are. */
const SPELLINGS: Readonly<Record<string, string>> = {
	// German, Turkish, Greek, Russian, Vietnamese and Croatian. The index itself folds accents of Latin letters.
	...{ ß: "ss", ẞ: "ss", ı: "i", İ: "i", ς: "σ", ё: "е", Ё: "е", đ: "d", Đ: "d" },
	...{ ά: "α", έ: "ε", ή: "η", ί: "ι", ό: "ο", ύ: "υ", ώ: "ω", ϊ: "ι", ϋ: "υ", ΐ: "ι", ΰ: "υ" },
	...{ Ά: "α", Έ: "ε", Ή: "η", Ί: "ι", Ό: "ο", Ύ: "υ", Ώ: "ω" },
	// Arabic and Persian: forms of alef, yeh, kaf and heh; the line that stretches a word.
	...{ أ: "ا", إ: "ا", آ: "ا", ٱ: "ا", ى: "ي", ی: "ي", ک: "ك", ة: "ه", "\u0640": "" },
	// Blanks and joiners of no width.
	...{ "\u200b": " ", "\u200c": "", "\u200d": "", "\u00ad": "" },
};
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join("")}]`, "gu");
/** Vowel marks of Arabic and Hebrew. */
const VOWEL_MARKS = /[\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7]/gu;
/** The Arabic article, also with a preposition or conjunction that is written together with it. */
const ARABIC_ARTICLE = /(?<![\p{L}\p{M}])(?:[وفبك]?ال|لل)(?=\p{Script=Arabic}{3})/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
/** Code points of the zeros of other scripts: Arabic, Persian, Devanagari, Bengali, Thai, Lao, Myanmar, Khmer. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xed0, 0x1040, 0x17e0];

/**
 * A text in which variants of one letter are the same letter, as the word index and its queries are given it. Case and
 * accents of Latin letters are left: the index folds these itself.
 */
export function foldText(text: string): string {
	if (NOTHING_TO_FOLD.test(text)) return text;
	return text
		.normalize("NFKC")
		.replace(SPELLED, (letter) => SPELLINGS[letter] ?? letter)
		.replace(VOWEL_MARKS, "")
		.replace(ARABIC_ARTICLE, "")
		.replace(FOREIGN_DIGIT, toAsciiDigit);
}

function toAsciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	const zero = ZEROS.find((first) => code >= first && code < first + 10);
	return zero === undefined ? digit : String(code - zero);
}
