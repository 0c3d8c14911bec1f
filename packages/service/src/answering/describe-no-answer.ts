import type { FoundPassage } from "@stemma/client";
import { toQuoteText } from "@stemma/core/internal";

const NO_ANSWER = "The documents hold nothing that answers this question.";

/** The text of an answer where nothing that was found answers: says so, and shows the closest passage as such. */
export function describeNoAnswer([closest]: readonly FoundPassage[]): string {
	if (closest === undefined) return NO_ANSWER;
	return `${NO_ANSWER}\nThe closest passage, of "${toQuoteText(closest.title)}": ${toQuoteText(closest.text)}`;
}
