import * as z from "zod";

// Objects are loose: a field more is no breach of what a client was told.

/** The metadata of a document. */
export const metadataSchema = z
	.record(z.string(), z.json())
	.describe("What the uploader noted about the document.");

export const placeSchema = z.looseObject({
	page: z.int().optional(),
	heading: z.string().optional().describe("Heading path, outermost first, joined by ›."),
	start: z.int(),
	end: z.int(),
});

export const foundPassage = z.looseObject({
	passage_id: z.string().describe("psg_…; fetch takes it."),
	document_id: z.string().describe("doc_…; fetch takes it."),
	knowledge_base_id: z.string(),
	title: z.string().describe("Of the document."),
	source: z.string().nullable().describe("Where the document comes from: a path or an address."),
	place: placeSchema,
	text: z.string(),
	score: z.number().describe("Comparable only within one answer."),
	metadata: metadataSchema,
});

/** Calls to models that were paid for. */
export const receipt = z
	.array(
		z.looseObject({
			stage: z.string(),
			payer: z.string(),
			provider: z.string(),
			model: z.string(),
			input_tokens: z.int(),
			output_tokens: z.int(),
		}),
	)
	.describe("The model calls that were made, and who pays; empty if the credential may not see them.");

/** Schema fields that say where a question was searched. */
export const searchedFields = {
	knowledge_base_ids: z.array(z.string()).describe("The knowledge bases that were searched."),
	more_knowledge_bases: z
		.boolean()
		.describe("True if there are others, which were not searched: name them to search them."),
};

export const pageOf = (item: z.ZodType) =>
	z.looseObject({
		data: z.array(item),
		has_more: z.boolean(),
		next: z.string().nullable().describe("To pass as `after` for the next page."),
	});
