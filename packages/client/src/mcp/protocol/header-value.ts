/** A text as a header takes it: as it is, or encoded where it could be taken for something else. */
export async function toHeaderValue(text: string): Promise<string> {
	if (/^[!-~]([ -~]*[!-~])?$/.test(text) && !text.startsWith("=?base64?")) return text;
	const { encodeHeader } = await import("../lazy-parts");
	return encodeHeader(text);
}
