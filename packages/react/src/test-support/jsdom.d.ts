declare module "jsdom" {
	/** What is used of it. */
	export class JSDOM {
		constructor(html: string);
		readonly window: Window & { readonly document: Document; readonly FormData: typeof FormData };
	}
}
