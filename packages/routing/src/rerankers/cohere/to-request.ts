import type { VendorShape } from "./vendors";

/** The body of a request: a score for each text is asked for, so that no default leaves any out. */
export const toRequest = (
	model: string,
	{ limitField, fields }: VendorShape,
	query: string,
	texts: readonly string[],
): object => ({ model, query, documents: texts, [limitField]: texts.length, ...fields });
