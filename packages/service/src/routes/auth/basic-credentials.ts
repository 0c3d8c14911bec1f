/** A client id and its secret. */
export interface BasicCredentials {
	readonly clientId: string;
	readonly clientSecret: string;
}

/**
 * Reads `Authorization: Basic …` of an OAuth client: both halves are form-encoded before they are joined (RFC 6749,
 * section 2.3.1). Nothing where the header is something else.
 */
export function readBasicCredentials(authorization: string): BasicCredentials | undefined {
	const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization) ?? [];
	if (encoded === undefined) return undefined;
	const text = Buffer.from(encoded, "base64").toString("utf8");
	const colon = text.indexOf(":");
	if (colon < 0) return undefined;
	try {
		return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) };
	} catch {
		return undefined;
	}
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
