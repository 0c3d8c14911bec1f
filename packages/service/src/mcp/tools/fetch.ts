import * as z from "zod";
import { findText } from "../find-text";
import { metadataSchema, placeSchema } from "../output-schemas";
import { defineTool, type Tool } from "../tool";

/** Gives the text of a passage or of a document, as assistants with connectors of their own expect of this name. */
export const fetchTool: Tool = defineTool({
	name: "fetch",
	title: "Fetch a document or passage",
	description:
		"Gives the text of a document (doc_…) or of one passage (psg_…), by an id that `search`, `ask` or `list_documents` has returned. " +
		"Use it to read around a passage that was found, before you quote it. A very long document is given in parts: `next` then is the id of the passage at which it goes on; fetch that one and those after it.",
	scopes: ["ask", "knowledge:read"],
	input: z.strictObject({
		id: z.string().min(1).max(100).describe("doc_… or psg_…"),
	}),
	output: z.looseObject({
		id: z.string(),
		title: z.string(),
		text: z.string(),
		url: z.string().describe("Address of the document; empty if it has none."),
		metadata: metadataSchema,
		document_id: z.string(),
		knowledge_base_id: z.string(),
		source: z.string().nullable(),
		passage_count: z.int().describe("Of the document."),
		passage_id: z.string().optional(),
		place: placeSchema.optional(),
		next: z.string().nullable().describe("The passage at which the document goes on; null at its end."),
	}),
	call: ({ id }, { scope }) => findText(scope, id),
});
