import { posix } from "node:path";
import type { Knowledge, KnowledgeDocument } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { closestName } from "@stemma/core/internal";
import { listAll, toPageSize } from "../connection/list-all";
import { sanitizeLine } from "../terminal/terminal";

const isDocumentId = (text: string): boolean => /^doc_[0-9a-z]{26}$/.test(text);

/**
 * Reads a document of a knowledge base by its id or its source.
 *
 * @throws ConfigurationError `document_not_found`, with what was probably meant.
 */
export async function readDocument(
	{ documents }: Knowledge,
	knowledgeBaseId: string,
	idOrSource: string,
): Promise<KnowledgeDocument> {
	if (isDocumentId(idOrSource)) return documents.get(knowledgeBaseId, idOrSource);
	const [found] = (await documents.list(knowledgeBaseId, { source: idOrSource, limit: 1 })).data;
	if (found !== undefined) return found;
	const some = await listAll(
		documents.list(knowledgeBaseId, { limit: toPageSize(MAX_COMPARED) }),
		MAX_COMPARED,
	);
	throw documentNotFound(idOrSource, some);
}

/** Documents whose sources are compared with one that does not exist: ten pages of a list. */
const MAX_COMPARED = 1000;

function documentNotFound(idOrSource: string, some: readonly KnowledgeDocument[]): ConfigurationError {
	const sources = some.flatMap(({ source }) => source ?? []);
	const meant = findSimilarSource(idOrSource, sources);
	const suggestion = meant === undefined ? "" : ` Did you mean "${sanitizeLine(meant)}"?`;
	const name = sanitizeLine(idOrSource);
	return new ConfigurationError(`There is no document "${name}" in this knowledge base.${suggestion}`, {
		code: "document_not_found",
		hint: 'Give its id (doc_…), or its source as "stemma docs list" shows it.',
	});
}

/** A source that is written much the same, else one of the same file name: sources are paths within a folder. */
export const findSimilarSource = (text: string, sources: readonly string[]): string | undefined =>
	closestName(text, sources) ??
	sources.find((source) => posix.basename(source).toLowerCase() === toFileName(text).toLowerCase());

const toFileName = (path: string): string => posix.basename(path.replaceAll("\\", "/"));
