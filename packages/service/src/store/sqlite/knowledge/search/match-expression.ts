import type { QueryWord } from "../../../../knowledge/search/query-words";
import { toKnowledgeBaseTerm } from "./legacy-word-indexes";

/** Creates the FTS5 expression for any of the words. Every word is quoted, so that none is read as an operator. */
export const toMatchExpression = (words: readonly QueryWord[]): string =>
	words.map(({ text, isPrefix }) => `"${text}"${isPrefix ? "*" : ""}`).join(" OR ");

/** Creates the expression for passages of these knowledge bases, or of all, in an index that they share. */
export function toSharedMatchExpression(
	knowledgeBases: readonly number[] | undefined,
	words: readonly QueryWord[],
): string {
	const expression = `{title heading text} : (${toMatchExpression(words)})`;
	if (knowledgeBases === undefined) return expression;
	const scope = knowledgeBases.map((number) => `"${toKnowledgeBaseTerm(number)}"`).join(" OR ");
	return `knowledge_base : (${scope}) AND ${expression}`;
}
