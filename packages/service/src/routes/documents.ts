import type { DocumentUpload } from "@stemma/client";
import { z } from "zod";
import { requireCaller } from "../http/authenticate";
import { withIdempotency } from "../http/idempotency";
import { readPage, toPage } from "../http/pages";
import { readQuery } from "../http/read-json";
import type { ServiceApp } from "../http/service-app";
import { requireRoom } from "../storage/require-room";
import { withDocumentUpload } from "./with-document-upload";

const listQuery = z.strictObject({
	status: z.enum(["queued", "processing", "ready", "failed"]).exactOptional(),
	source: z.string().exactOptional(),
});

/** `/v1/knowledge-bases/:id/documents`. */
export function addDocumentRoutes(app: ServiceApp): void {
	const path = "/v1/knowledge-bases/:id/documents";
	const toRead = requireCaller({ scopes: ["knowledge:read"] });
	const toWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post(path, toWrite, async (context) => {
		const id = context.req.param("id");
		const { knowledge } = context.get("workspace");
		// Before megabytes are taken in for nothing.
		await requireRoom(context);
		await knowledge.getKnowledgeBase(id);
		context.get("kernel").models.plan(["index"], { knowledgeBases: await knowledge.listModels([id]) });
		return withDocumentUpload(context, ({ uploads, fingerprint }) =>
			withIdempotency(context, fingerprint, async () => {
				const data = await knowledge.addDocuments(id, uploads);
				return { status: 202, body: { data } satisfies DocumentUpload };
			}),
		);
	});

	app.get(path, toRead, async (context) => {
		const { limit, after } = readPage(context);
		const options = { ...readQuery(context, listQuery), limit: limit + 1, after };
		const rows = await context.get("workspace").knowledge.listDocuments(context.req.param("id"), options);
		return context.json(toPage(rows, limit, ({ id }) => id));
	});

	app.get(`${path}/:documentId`, toRead, async (context) => {
		const { id, documentId } = context.req.param();
		return context.json(await context.get("workspace").knowledge.getDocument(id, documentId));
	});

	app.delete(`${path}/:documentId`, toWrite, async (context) => {
		const { id, documentId } = context.req.param();
		await context.get("workspace").knowledge.deleteDocument(id, documentId);
		return context.json({ id: documentId, deleted: true });
	});
}
