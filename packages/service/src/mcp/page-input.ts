import * as z from "zod";

/** Schema fields for the part of a list that a caller requests. */
export const pageInput = {
	limit: z.int().min(1).max(100).default(20).describe("Items of one page; default 20."),
	after: z
		.string()
		.regex(/^[\w.-]{1,100}$/)
		.optional()
		.describe("The `next` of the page before; omit it for the first page."),
};
