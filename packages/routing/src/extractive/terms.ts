import { isTellingWord, toFoldedWords, toStem } from "@stemma/core/internal";

/** Returns the stems of a text's words, for comparing texts: words without function words; pairs of characters. */
export const toTerms = (text: string): Set<string> =>
	new Set(toFoldedWords(text).filter(isTellingWord).map(toStem));
