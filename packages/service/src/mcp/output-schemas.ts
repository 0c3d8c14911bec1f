import * as z from "zod";

// Objects are loose: a field more is no breach of what a client was told.

/** The metadata of a document. */
export const metadataSchema = z
	.record(z.string(), z.json())
	.describe("What the uploader noted about the document.");

/** Input of tools that search: which passages count. */
export const passageLimits = {
	min_score: z
		.number()
		.min(0)
		.max(1)
		.optional()
		.describe("Minimum relevance of a passage; only where a model scores passages."),
	filter: z
		.record(z.string(), z.json())
		.optional()
		.describe("Metadata values that a document must have to be searched."),
};

export const placeSchema = z.looseObject({
	page: z.int().optional(),
	boxes: z
		.array(
			z.looseObject({ page: z.int(), x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
		)
		.optional()
		.describe("Of the text on its pages, in points from the upper left corner."),
	sheet: z.string().optional(),
	cells: z.string().optional().describe("B2:D9."),
	slide: z.int().optional(),
	chapter: z.string().optional(),
	part: z.string().optional().describe("Of a message: body, quoted, or the name of an attachment."),
	heading: z.string().optional().describe("Heading path, outermost first, joined by ›."),
	start: z.int(),
	end: z.int(),
});

export const documentAddress = z.string().optional().describe("Address of the document on the web.");

export const documentUrl = z
	.string()
	.optional()
	.describe("Opens the document, for 15 minutes; of client keys alone.");

export const foundPassage = z.looseObject({
	passage_id: z.string().describe("psg_…; fetch takes it."),
	document_id: z.string().describe("doc_…; fetch takes it."),
	knowledge_base_id: z.string(),
	knowledge_base: z.string().describe("Slug of the knowledge base."),
	title: z.string().describe("Of the document."),
	source: z.string().nullable().describe("Where the document comes from: a path or an address."),
	url: documentAddress,
	place: placeSchema,
	text: z.string(),
	score: z.number().describe("Comparable only within one answer."),
	metadata: metadataSchema,
	also_in: z
		.array(z.looseObject({ passage_id: z.string(), document_id: z.string(), title: z.string() }))
		.optional()
		.describe("Other passages with the same text, which are not listed themselves."),
	document_url: documentUrl,
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
