import type { QueryWord } from "../../../../knowledge/search/query-words";
import { toKnowledgeBaseTerm } from "./word-index";

/**
 * Creates the FTS5 expression for passages of these knowledge bases, or of all, with any of the words. Every word is
 * quoted, so that none is read as an operator.
 */
export function toMatchExpression(
	knowledgeBases: readonly number[] | undefined,
	words: readonly QueryWord[],
): string {
	const scope = knowledgeBases?.map((number) => `"${toKnowledgeBaseTerm(number)}"`).join(" OR ");
	const terms = words.map(({ text, isPrefix }) => `"${text}"${isPrefix ? "*" : ""}`).join(" OR ");
	const expression = `{title heading text} : (${terms})`;
	return scope === undefined ? expression : `knowledge_base : (${scope}) AND ${expression}`;
}
