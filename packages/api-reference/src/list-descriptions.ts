/** OpenAPI document that the page shows. */
export interface ApiDescription {
	readonly title: string;
	/** Absolute address. */
	readonly url: string;
}

/** Lists the documents that a page names in its links of the type `service-desc` (RFC 8631), in their order. */
export const listDescriptions = (page: Document): readonly ApiDescription[] =>
	[...page.querySelectorAll<HTMLLinkElement>('link[rel="service-desc"]')].map(({ title, href }) => ({
		title,
		url: href,
	}));
