import type { UrlSourceSettings } from "@stemma/client";
import { SourceError } from "../source-error";
import type { Connector, KnownItem, ScanContext, SourceItem, SourceResponse } from "./connector";

/** Connector of one address, whose document is fetched again only where the server says that it has changed. */
export const urlConnector: Connector<UrlSourceSettings> = {
	async *scan({ url }, context) {
		const item = await readAddress(url, context);
		if (item !== undefined) yield item;
	},
};

/** @returns `undefined` where the server says that the document is gone. */
async function readAddress(url: string, context: ScanContext): Promise<SourceItem | undefined> {
	const known = await context.find(url);
	const credential = await context.readCredential(new URL(url).origin);
	const headers = { ...toConditions(known), ...toAuthorization(credential) };
	const response = await context.fetch(url, { headers });
	const { status, body } = response;
	if (status === 304 && known !== undefined) {
		await body?.cancel();
		return { kind: "unchanged", key: url };
	}
	if (status === 200) return toContent(url, response);
	await body?.cancel();
	if (status === 404 || status === 410) return undefined;
	throw statusError(status);
}

/** Header that shows a secret: as a bearer token, unless it names a scheme itself. */
export const toAuthorization = (credential: string | undefined): Record<string, string> =>
	credential === undefined
		? {}
		: { authorization: credential.includes(" ") ? credential : `Bearer ${credential}` };

/** Conditions under which the server sends the document again (RFC 9110, section 13.1). */
function toConditions(known: KnownItem | undefined): Record<string, string> {
	if (known?.version == null) return {};
	const isTag = /^(?:W\/)?"/.test(known.version);
	return isTag ? { "if-none-match": known.version } : { "if-modified-since": known.version };
}

/** Version of a response: its tag, else its date. `null` where it has none. */
const toVersion = (headers: Headers): string | null => headers.get("etag") ?? headers.get("last-modified");

function toContent(key: string, { url, headers, body }: SourceResponse): SourceItem {
	const { pathname } = new URL(url);
	return {
		kind: "content",
		key,
		version: toVersion(headers),
		fileName: decodeName(pathname.split("/").at(-1) ?? ""),
		title: null,
		url: key,
		mediaType: headers.get("content-type"),
		bytes: body ?? new Uint8Array(),
	};
}

function decodeName(name: string): string {
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

/** Error of a response with a status that says neither that there is a document nor that there is none. */
export function statusError(status: number): SourceError {
	const needsCredential = status === 401 || status === 403;
	return new SourceError(`The server responded with status ${status}.`, {
		code: status === 429 || status === 503 ? "source_busy" : needsCredential ? "access_denied" : "bad_status",
		hint: needsCredential
			? "Name a secret of the workspace as the source's `credential`, stored for the server's origin."
			: "The document stays as it was; the next sync tries again.",
	});
}
