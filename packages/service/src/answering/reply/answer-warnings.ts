import type { Answer } from "@stemma/client";
import { isOtherLanguage } from "./answer-language";

/** Answer of a model, as far as warnings are about it. */
export interface WrittenAnswer {
	readonly question: string;
	/** Text as the user sees it. */
	readonly answer: string;
	readonly hasCitations: boolean;
	readonly hasNoAnswer: boolean;
	/** Instructions were taken out. */
	readonly hadInstructions: boolean;
}

type Warning = NonNullable<Answer["warnings"]>[number];

/** Finds out what a model did that it was told not to do. Undefined where it did nothing of the kind. */
export function findWarnings(written: WrittenAnswer): readonly Warning[] | undefined {
	const { question, answer, hasCitations, hasNoAnswer, hadInstructions } = written;
	const warnings: Warning[] = [];
	if (!hasNoAnswer && !hasCitations) warnings.push("no_citations");
	if (isOtherLanguage(question, answer)) warnings.push("other_language");
	if (hadInstructions) warnings.push("instructions_removed");
	return warnings.length === 0 ? undefined : warnings;
}
