/** The source of a document where it is an address on the web; else an empty text, which assistants take for none. */
export function toCitableUrl(source: string | null): string {
	if (source === null || !/^https?:\/\//i.test(source) || !URL.canParse(source)) return "";
	const url = new URL(source);
	// A name and password in it are nobody's business.
	return url.username === "" && url.password === "" ? url.href : "";
}
