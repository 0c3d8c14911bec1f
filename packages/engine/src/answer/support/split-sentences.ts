/** The end of a sentence, with quotes and brackets that close behind it; each line ends one. */
const SENTENCE_END = /[.!?…]["'”’»)\]]*(?=\s)|[。！？।؟][”」』）]*|\n/gu;
/** Ends of words whose full stop ends no sentence: a letter, a number, a common abbreviation. */
const ABBREVIATION =
	/(?:^|[\s(.])(?:\p{L}|\d{1,2}|dr|mr|mrs|ms|prof|st|no|nr|vs|etc|ca|approx|bzw|inkl|usw|evtl|sog|art|abs|fig|inc|ltd|co|т\.?е|ул|гл)\.$/iu;

/** Offsets at which the sentences of a text end. */
export function findSentenceEnds(text: string): number[] {
	const ends: number[] = [];
	for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
		const end = index + mark.length;
		const isAbbreviation = mark === "." && ABBREVIATION.test(text.slice(Math.max(0, index - 10), end));
		if (!isAbbreviation) ends.push(end);
	}
	return ends;
}

/** The sentences of a text, lines of lists and tables among them. */
export function splitSentences(text: string): string[] {
	const ends = [...findSentenceEnds(text), text.length];
	return ends
		.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
		.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
