/** Parses the address of a document on the web; `undefined` for what no browser should open from here. */
export function toWebAddress(text: string | undefined): URL | undefined {
	if (text === undefined || !URL.canParse(text)) return undefined;
	const url = new URL(text);
	return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
}
