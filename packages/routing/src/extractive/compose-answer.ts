import type { ChatTool } from "@stemma/core";
import { toQuoteText } from "@stemma/core/internal";
import type { Candidate } from "./candidate";
import { listUnsupportedTools } from "./plan-calls";
import type { Sources } from "./read-sources";
import { toTerms } from "./terms";

const QUOTED = "Quoted from the documents:";
const WRITTEN = "What was found, as other agents wrote it:";
const NOTHING_READ =
	"The built-in model can only quote documents, and it was given none. Connect documents, or configure a model.";
const NOTHING_FOUND = "Nothing in the documents answers this.";

/** The text of the answer: each sentence on a line of its own with its marks, or why there is none. */
export function composeAnswer(
	sources: Sources,
	chosen: readonly Candidate[],
	tools: readonly ChatTool[],
): string {
	const lines =
		chosen.length === 0 ? [explainNoAnswer(sources)] : [headline(chosen), ...quote(sources, chosen)];
	const unsupportedTools = listUnsupportedTools(tools);
	if (unsupportedTools.length > 0)
		lines.push(`Not done, because the built-in model only quotes: ${unsupportedTools.join(", ")}.`);
	return lines.join("\n");
}

const isQuotation = ({ source }: Candidate): boolean => source.kind === "passage" || source.isQuotation;

const headline = (chosen: readonly Candidate[]): string => (chosen.every(isQuotation) ? QUOTED : WRITTEN);

function quote({ question }: Sources, chosen: readonly Candidate[]): string[] {
	const queryTerms = toTerms(question);
	const isQueryWord = (word: string) => [...toTerms(word)].some((term) => queryTerms.has(term));
	return chosen.map((candidate) => {
		const text = toQuoteText(candidate.text, isQueryWord);
		return `${isQuotation(candidate) ? `"${text}"` : text} ${candidate.marks}`;
	});
}

function explainNoAnswer({ passages: [closest], hasSources }: Sources): string {
	if (!hasSources) return NOTHING_READ;
	if (closest === undefined) return NOTHING_FOUND;
	const title = closest.document === "" ? "" : `, of "${toQuoteText(closest.document)}"`;
	return `${NOTHING_FOUND}\nThe closest passage${title}: ${toQuoteText(closest.text)}`;
}
