import type { QueryWord } from "./query-words";
import { toKnowledgeBaseWord } from "./word-index";

/**
 * What FTS5 is asked for: passages of these knowledge bases with any of the words. Every word is quoted, so that none is
 * taken for an operator.
 */
export function toMatchExpression(knowledgeBases: readonly number[], words: readonly QueryWord[]): string {
	const within = knowledgeBases.map((number) => `"${toKnowledgeBaseWord(number)}"`).join(" OR ");
	const wanted = words.map(({ text, isBeginning }) => `"${text}"${isBeginning ? "*" : ""}`).join(" OR ");
	return `knowledge_base : (${within}) AND {title heading text} : (${wanted})`;
}
