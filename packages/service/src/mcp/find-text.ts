import type { McpFetchResult } from "@stemma/client/mcp";
import { quote } from "@stemma/core/internal";
import { findHiddenItems } from "../access/hidden-items";
import { DomainError } from "../errors/domain-error";
import { toCitableUrl } from "../knowledge/citable-url";
import { toPassageId } from "../knowledge/passage-id";
import type { RequestScope } from "../request-scope";
import { joinPassages } from "./join-passages";

/** Document or passage that an id names. */
interface TextId {
	readonly documentId: string;
	/** The place of the passage in its document, from 0; left out for the document itself. */
	readonly ordinal?: number;
}

const MAX_PASSAGES = 200;

/**
 * The text of what was ingested, as it is searched.
 *
 * @param id - of a document or a passage.
 * @throws DomainError `text_not_found`, also for what the caller may not see; `document_not_ready`.
 */
export async function findText(scope: RequestScope, id: string): Promise<McpFetchResult> {
	const name = parseTextId(id);
	if (name === undefined) throw textNotFound(id);
	const { knowledge } = scope.workspace;
	const found = await knowledge.findText(name.documentId, MAX_PASSAGES, name.ordinal);
	if (found === undefined || !(await canSee(scope, found.knowledge_base_id))) throw textNotFound(id);
	const documentFields = {
		id,
		title: found.title,
		url: toCitableUrl(found.source),
		metadata: found.metadata,
		document_id: name.documentId,
		knowledge_base_id: found.knowledge_base_id,
		source: found.source,
		passage_count: found.passage_count,
	};
	const { passages } = found;
	if (name.ordinal !== undefined) {
		const [passage] = passages;
		if (passage === undefined) throw textNotFound(id);
		return { ...documentFields, text: passage.text, passage_id: id, place: passage.place, next: null };
	}
	if (passages.length === 0) throw notReady(id, found.status);
	const { text, count } = joinPassages(passages);
	return {
		...documentFields,
		text,
		next: count < found.passage_count ? toPassageId(name.documentId, count) : null,
	};
}

function parseTextId(id: string): TextId | undefined {
	if (/^doc_[0-9a-z]{1,40}$/.test(id)) return { documentId: id };
	const [, document, number] = /^psg_([0-9a-z]{1,40})_([1-9]\d{0,8})$/.exec(id) ?? [];
	if (document === undefined) return undefined;
	return { documentId: `doc_${document}`, ordinal: Number(number) - 1 };
}

async function canSee(scope: RequestScope, knowledgeBaseId: string): Promise<boolean> {
	const { caller } = scope;
	if (caller.kind === "client_key" && caller.knowledgeBaseIds !== null)
		return caller.knowledgeBaseIds.includes(knowledgeBaseId);
	return !(await findHiddenItems(scope)).knowledgeBaseNames.has(knowledgeBaseId);
}

const textNotFound = (id: string): DomainError =>
	new DomainError("text_not_found", `There is no document or passage ${quote(id)}.`, {
		hint: "Use an id from a new search: documents may have been replaced or deleted.",
		param: "id",
	});

const notReady = (id: string, status: string): DomainError =>
	new DomainError("document_not_ready", `The document ${quote(id)} has no text: it is ${status}.`, {
		hint:
			status === "failed"
				? "It could not be read; list_documents says why."
				: "It is still being read. Try again in a moment.",
	});
