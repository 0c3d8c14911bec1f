/** Returns an address that a link may lead to: of the web, or of a mailbox. */
export function toSafeUrl(text: string): URL | undefined {
	try {
		const url = new URL(text);
		return /^(https?|mailto):$/.test(url.protocol) ? url : undefined;
	} catch {
		return undefined;
	}
}
