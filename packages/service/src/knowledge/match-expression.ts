import type { QueryWord } from "./query-words";
import { toKnowledgeBaseWord } from "./word-index";

/**
 * What FTS5 is asked for: passages of these knowledge bases, or of all, with any of the words. Every word is quoted, so
 * that none is taken for an operator.
 */
export function toMatchExpression(
	knowledgeBases: readonly number[] | undefined,
	words: readonly QueryWord[],
): string {
	const within = knowledgeBases?.map((number) => `"${toKnowledgeBaseWord(number)}"`).join(" OR ");
	const wanted = words.map(({ text, isBeginning }) => `"${text}"${isBeginning ? "*" : ""}`).join(" OR ");
	const found = `{title heading text} : (${wanted})`;
	return within === undefined ? found : `knowledge_base : (${within}) AND ${found}`;
}
