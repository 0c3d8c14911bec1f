import * as z from "zod";
import { findHiddenItems } from "../../access/hidden-items";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { respondWithBytes } from "../../http/respond-with-bytes";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { documentNotFound } from "../../knowledge/knowledge-errors";
import { respondWithText, textQuery, toDisposition, toMediaType } from "./document-contents";

/** Checked before the route: see `requireCaller`. */
const token = z.string();
const fileQuery = z.strictObject({ token });
const citedTextQuery = textQuery.extend({ token });

/** The address holds a token: no page that it leads to is told, and no cache that others use keeps it. */
const TOKEN_HEADERS = { "referrer-policy": "no-referrer" };

/** Some viewers of PDFs do not open in a sandbox; what they show is no page of this origin. */
const PDF_HEADERS = { "content-security-policy": "script-src 'none'" };

const described = {
	find: describeRoute({
		summary: "Find a document by its id alone",
		responses: { 200: "KnowledgeDocument" },
		errors: ["document_not_found"],
	}),
	download: describeRoute({
		summary: "Download the original of a cited document",
		query: fileQuery,
		responses: {
			200: { "application/octet-stream": "bytes" },
			206: { "application/octet-stream": "bytes" },
			304: {},
		},
		errors: [
			"document_token_expired",
			"document_not_allowed",
			"document_not_found",
			"document_not_ready",
			"text_not_found",
			"text_not_stored",
			"original_not_stored",
			"range_not_satisfiable",
		],
	}),
	read: describeRoute({
		summary: "Read the text of a cited document",
		query: citedTextQuery,
		responses: { 200: { "text/plain": "text" } },
		errors: [
			"document_token_expired",
			"document_not_allowed",
			"document_not_found",
			"document_not_ready",
			"text_not_found",
			"text_not_stored",
			"original_not_stored",
		],
	}),
};

/**
 * `/v1/documents/:documentId`: a document by its id alone, as citations name it. `…/file` and `…/text` by the token of a
 * citation (`document_url`): links, frames and viewers of a page can send no header, so the token is in the query, and
 * lasts minutes.
 */
export function addCitedDocumentRoutes(app: ServiceApp): void {
	const requireToken = requireCaller({ scopes: [], documentToken: true });

	app.get(
		"/v1/documents/:documentId",
		described.find,
		requireCaller({ scopes: ["knowledge:read"] }),
		async (context) => {
			const id = context.req.param("documentId");
			const { knowledge } = context.get("workspace");
			return context.json(await knowledge.getDocument(await findKnowledgeBase(context, id), id));
		},
	);

	app.get("/v1/documents/:documentId/file", described.download, requireToken, async (context) => {
		readQuery(context, fileQuery);
		const { knowledge } = context.get("workspace");
		const id = context.req.param("documentId");
		const original = await knowledge.openOriginal(await findKnowledgeBase(context, id), id);
		const type = toMediaType(original);
		const isShown = type !== "application/octet-stream";
		return respondWithBytes(context, original, {
			...TOKEN_HEADERS,
			...(type === "application/pdf" && PDF_HEADERS),
			"content-type": type,
			"content-disposition": toDisposition(isShown ? "inline" : "attachment", original),
		});
	});

	app.get("/v1/documents/:documentId/text", described.read, requireToken, async (context) => {
		const { token: _, ...range } = readQuery(context, citedTextQuery);
		const id = context.req.param("documentId");
		return respondWithText(context, await findKnowledgeBase(context, id), id, range, TOKEN_HEADERS);
	});
}

/** Finds the knowledge base of a document, by id. @throws DomainError `document_not_found` */
async function findKnowledgeBase(context: ServiceContext, documentId: string): Promise<string> {
	const found = await context.get("workspace").knowledge.findText(documentId, 1);
	if (found === undefined) throw documentNotFound(documentId);
	const { knowledgeBaseNames } = await findHiddenItems(toScope(context));
	if (knowledgeBaseNames.has(found.knowledge_base_id)) throw documentNotFound(documentId);
	return found.knowledge_base_id;
}
