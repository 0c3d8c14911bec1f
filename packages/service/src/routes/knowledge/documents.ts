import type { DocumentUpload } from "@stemma/client";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { requireSpace } from "../../storage/require-space";
import { documentText, withDocumentUpload } from "./with-document-upload";

const listQuery = z.strictObject({
	status: z.enum(["queued", "processing", "ready", "failed"]).exactOptional(),
	source: z.string().exactOptional(),
	parent_id: z.string().exactOptional(),
});

const described = {
	upload: describeRoute({
		summary: "Upload documents",
		body: documentText,
		otherBody: { files: true },
		isIdempotent: true,
		responses: { 202: "DocumentUpload" },
		errors: ["knowledge_base_not_found", "unsupported_format", "too_many_documents", "quota_exceeded"],
		callsModels: true,
		example: { title: "Refunds", text: "Refunds take five working days." },
	}),
	list: describeRoute({
		summary: "List documents",
		query: listQuery,
		isList: true,
		responses: { 200: "DocumentPage" },
		errors: ["knowledge_base_not_found"],
	}),
	get: describeRoute({
		summary: "Get a document",
		responses: { 200: "KnowledgeDocument" },
		errors: ["knowledge_base_not_found", "document_not_found"],
	}),
	read: describeRoute({
		summary: "Read a document that failed once more",
		isIdempotent: true,
		responses: { 202: "KnowledgeDocument" },
		errors: ["knowledge_base_not_found", "document_not_found", "quota_exceeded"],
	}),
	delete: describeRoute({
		summary: "Delete a document with its passages",
		responses: { 200: "Deleted" },
		errors: ["knowledge_base_not_found", "document_not_found"],
	}),
};

/** `/v1/knowledge-bases/:id/documents`. */
export function addDocumentRoutes(app: ServiceApp): void {
	const path = "/v1/knowledge-bases/:id/documents";
	const requireRead = requireCaller({ scopes: ["knowledge:read"] });
	const requireWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post(path, described.upload, requireWrite, async (context) => {
		const { knowledge } = context.get("workspace");
		// Before megabytes are taken in for nothing.
		await requireSpace(toScope(context));
		const { id } = await knowledge.getKnowledgeBase(context.req.param("id"));
		context
			.get("kernel")
			.models.plan(["index"], { knowledgeBases: await knowledge.listKnowledgeBaseModels([id]) });
		return withDocumentUpload(context, ({ uploads, fingerprint }) =>
			withIdempotency(context, fingerprint, async () => {
				const data = await knowledge.addDocuments(id, uploads);
				return { status: 202, body: { data } satisfies DocumentUpload };
			}),
		);
	});

	app.get(path, described.list, requireRead, (context) =>
		respondWithPage(context, {
			query: listQuery,
			list({ limit, after }, query) {
				const { knowledge } = context.get("workspace");
				return knowledge.listDocuments(context.req.param("id"), { ...query, limit: limit + 1, after });
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.get(`${path}/:documentId`, described.get, requireRead, async (context) => {
		const { id, documentId } = context.req.param();
		return context.json(await context.get("workspace").knowledge.getDocument(id, documentId));
	});

	app.post(`${path}/:documentId/retry`, described.read, requireWrite, async (context) => {
		const { id, documentId } = context.req.param();
		await requireSpace(toScope(context));
		const { knowledge } = context.get("workspace");
		return withIdempotency(context, { documentId }, async () => ({
			status: 202,
			body: await knowledge.retryDocument(id, documentId),
		}));
	});

	app.delete(`${path}/:documentId`, described.delete, requireWrite, async (context) => {
		const { id, documentId } = context.req.param();
		await context.get("workspace").knowledge.deleteDocument(id, documentId);
		return context.json({ id: documentId, deleted: true });
	});
}
