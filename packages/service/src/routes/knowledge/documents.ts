import type { DocumentUpload } from "@stemma/client";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { requireSpace } from "../../storage/require-space";
import { withDocumentUpload } from "./with-document-upload";

const listQuery = z.strictObject({
	status: z.enum(["queued", "processing", "ready", "failed"]).exactOptional(),
	source: z.string().exactOptional(),
	parent_id: z.string().exactOptional(),
});

/** `/v1/knowledge-bases/:id/documents`. */
export function addDocumentRoutes(app: ServiceApp): void {
	const path = "/v1/knowledge-bases/:id/documents";
	const requireRead = requireCaller({ scopes: ["knowledge:read"] });
	const requireWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post(path, requireWrite, async (context) => {
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

	app.get(path, requireRead, (context) =>
		respondWithPage(context, {
			query: listQuery,
			list({ limit, after }, query) {
				const { knowledge } = context.get("workspace");
				return knowledge.listDocuments(context.req.param("id"), { ...query, limit: limit + 1, after });
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.get(`${path}/:documentId`, requireRead, async (context) => {
		const { id, documentId } = context.req.param();
		return context.json(await context.get("workspace").knowledge.getDocument(id, documentId));
	});

	app.post(`${path}/:documentId/retry`, requireWrite, async (context) => {
		const { id, documentId } = context.req.param();
		await requireSpace(toScope(context));
		const { knowledge } = context.get("workspace");
		return withIdempotency(context, { documentId }, async () => ({
			status: 202,
			body: await knowledge.retryDocument(id, documentId),
		}));
	});

	app.delete(`${path}/:documentId`, requireWrite, async (context) => {
		const { id, documentId } = context.req.param();
		await context.get("workspace").knowledge.deleteDocument(id, documentId);
		return context.json({ id: documentId, deleted: true });
	});
}
