/** English and German words that follow "how" and only say what kind of number is asked for. */
const MEASURE =
	/\b(how) (?:long|often|old|far|large|big|high|fast|soon|late)\b|\b(wie) (?:lange?|oft|alt|weit|gro(?:ß|ss)|hoch|schnell|bald|spät)(?!\p{L})/giu;

/** The question without the word that only says what kind of number is asked for, unless it is all there is. */
export function dropMeasureWords(question: string): string {
	const rest = question.replace(MEASURE, " ");
	return /[\p{L}\p{N}]/u.test(rest) ? question.replace(MEASURE, "$1$2") : question;
}
