import { contentTablesSql } from "./content-tables";
import { knowledgeTablesSql } from "./knowledge-tables";
import { sourceTablesSql } from "./source-tables";
import { vectorCodesSql } from "./vector-code-tables";
import { comparableVectorsSql, vectorTablesSql } from "./vector-tables";
import { wordIndexTablesSql } from "./word-index-tables";

/** Tables of knowledge bases, documents, contents, passages, sources and reindexes. */
export const knowledgeAreaSql = [
	knowledgeTablesSql,
	contentTablesSql,
	wordIndexTablesSql,
	vectorTablesSql,
	sourceTablesSql,
].join("\n");

/** Makes tables of vectors searchable; see `vectorTablesSql`. */
export const knowledgeVectorsSql = comparableVectorsSql + vectorCodesSql;
