import * as z from "zod";
import { assertVisibleKnowledgeBases } from "../../access/assert-visible";
import { paginate } from "../../pagination";
import { metadataSchema, pageOf } from "../output-schemas";
import { pageInput } from "../page-input";
import { defineTool, type Tool } from "../tool";

const status = z.enum(["queued", "processing", "ready", "failed"]);

/** Lists the documents of one knowledge base. */
export const listDocumentsTool: Tool = defineTool({
	name: "list_documents",
	title: "List documents",
	description:
		"Lists the documents of one knowledge base, oldest first, with title, source, status and size; not their text, which `fetch` gives. " +
		"Use it to see what there is or whether an upload is ready. To find what documents say, use `search`.",
	scopes: ["knowledge:read"],
	input: z.strictObject({
		knowledge_base_id: z.string().min(1).max(100).describe("Id (kb_…) or slug, from list_knowledge_bases."),
		status: status.optional().describe("Only documents in this state; `ready` ones can be found."),
		source: z.string().max(10_000).optional().describe("Only the document with exactly this source."),
		...pageInput,
	}),
	output: pageOf(
		z.looseObject({
			id: z.string().describe("doc_…; fetch takes it."),
			knowledge_base_id: z.string(),
			title: z.string(),
			source: z.string().nullable(),
			format: z.string(),
			status,
			error: z.looseObject({ code: z.string(), message: z.string() }).nullable().describe("Why it failed."),
			size_bytes: z.int(),
			content_sha256: z.string(),
			passage_count: z.int(),
			metadata: metadataSchema,
			created_at: z.string(),
			updated_at: z.string(),
		}),
	),
	async call({ knowledge_base_id, limit, ...options }, { scope }) {
		const { knowledge } = scope.workspace;
		await assertVisibleKnowledgeBases(scope, [knowledge_base_id]);
		const rows = await knowledge.listDocuments(knowledge_base_id, { ...options, limit: limit + 1 });
		return paginate(rows, limit, ({ id }) => id);
	},
});
