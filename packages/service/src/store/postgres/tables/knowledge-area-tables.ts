/** Tables of knowledge bases, documents, contents, passages, sources and reindexes. */
export const knowledgeAreaSql = "";

/** Tables of vectors; see `vectorTablesSql`. */
export const knowledgeVectorsSql = "";
