import type { IncomingMessage } from "node:http";
import { type BadRequest, duplicateHost, invalidHost, invalidTarget } from "./bad-request";

/**
 * Checks the host and the target of a request, and brings the target into the form of a path. Where the target is a whole
 * address, its host replaces the `Host` header (RFC 9112, sections 3.2 and 3.2.2).
 *
 * @returns What is wrong with the request, if anything is.
 */
export function normalizeTarget(message: IncomingMessage): BadRequest | undefined {
	const { rawHeaders, headers, url = "" } = message;
	const at = findOnlyHost(rawHeaders);
	if (at === undefined) return duplicateHost;
	const host = toCanonicalHost(headers.host ?? "");
	if (host === undefined) return invalidHost;
	// Some parsers of addresses take a backslash for a slash.
	if (/^[^?]*\\/.test(url)) return invalidTarget;
	if (url.startsWith("/")) return replaceHost(message, at, host);
	const target = readAbsolute(url);
	if (target === undefined) return invalidTarget;
	message.url = target.path;
	return replaceHost(message, at, target.host);
}

/** Index of the one `Host` header, -1 for none; undefined for several. */
function findOnlyHost(rawHeaders: readonly string[]): number | undefined {
	let found = -1;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		if (rawHeaders[index]?.length !== 4 || rawHeaders[index]?.toLowerCase() !== "host") continue;
		if (found >= 0) return undefined;
		found = index;
	}
	return found;
}

/** Host of the last request: clients write the same one again and again. */
let knownHost = "";

/** A host in lower case. Undefined where it is none, or where another parser could read it as another host. */
function toCanonicalHost(text: string): string | undefined {
	if (text === knownHost && text !== "") return text;
	const host = text.toLowerCase();
	if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/.test(host)) return undefined;
	const url = parseUrl(`http://${host}`);
	if (url === undefined || (url.host !== host && `${url.host}:80` !== host)) return undefined;
	knownHost = host;
	return host;
}

function readAbsolute(target: string): { readonly host: string; readonly path: string } | undefined {
	const [, authority = ""] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
	const host = toCanonicalHost(authority);
	const url = parseUrl(target);
	return host === undefined || url === undefined ? undefined : { host, path: url.pathname + url.search };
}

function parseUrl(url: string): URL | undefined {
	try {
		return new URL(url);
	} catch {
		return undefined;
	}
}

/** Writes the host to all places that it is read from. */
function replaceHost({ rawHeaders, headers }: IncomingMessage, at: number, host: string): undefined {
	if (headers.host === host) return;
	headers.host = host;
	rawHeaders[at + 1] = host;
}
