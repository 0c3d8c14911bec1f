import * as z from "zod";
import { AuthorizationError } from "./authorization-error";
import { APP_METADATA_TIMEOUT_MS, MAX_METADATA_BYTES, MAX_REDIRECT_URIS } from "./authorization-limits";
import { isRedirectUri } from "./redirect-uri";
import type { App } from "./stored-authorizations";

/** Sends a request to an address that somebody else chose, as the outbound gate does. */
export type FetchMetadata = (url: string, init: RequestInit) => Promise<Response>;

const MAX_METADATA_URL_CHARACTERS = 500;
const MAX_APP_NAME_CHARACTERS = 100;

/** Metadata of an app, of which only what is used is looked at (RFC 7591, section 2). */
export const appMetadata = z.object({
	client_name: z.string().max(1_000).optional(),
	redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
	token_endpoint_auth_method: z.string().optional(),
});

const metadataDocument = appMetadata.extend({ client_id: z.string() });

/**
 * Checks whether the id of an app is the address of a metadata document: by HTTPS, with a path, and written as a URL is
 * (draft-ietf-oauth-client-id-metadata-document, section 3).
 */
export function isMetadataUrl(id: string): boolean {
	if (id.length > MAX_METADATA_URL_CHARACTERS || !id.startsWith("https://") || !URL.canParse(id))
		return false;
	const { href, pathname, username, password } = new URL(id);
	return href === id && pathname !== "/" && username === "" && password === "" && !id.includes("#");
}

/**
 * Fetches the metadata document that the id of an app is the address of.
 *
 * @throws AuthorizationError `invalid_client` where it cannot be read, is of another app, or needs a secret.
 */
export async function fetchMetadataDocument(id: string, fetch: FetchMetadata): Promise<App> {
	const parsed = metadataDocument.safeParse(await fetchJson(id, fetch));
	if (!parsed.success || parsed.data.client_id !== id)
		throw invalidClient("is not metadata of this client_id: it needs client_id and redirect_uris");
	const { client_name, redirect_uris, token_endpoint_auth_method: method = "none" } = parsed.data;
	if (method !== "none") throw invalidClient('must have the token_endpoint_auth_method "none"');
	if (!redirect_uris.every(isRedirectUri)) throw invalidClient("has an address that is no redirect_uri");
	return { id, name: toAppName(client_name, new URL(id).host), redirectUris: redirect_uris };
}

/** Name of an app as it is shown and stored: on one line, and not too long. */
export function toAppName(name: string | undefined, fallback: string): string {
	const text = name?.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim() ?? "";
	return text === "" ? fallback : [...text].slice(0, MAX_APP_NAME_CHARACTERS).join("");
}

async function fetchJson(url: string, fetch: FetchMetadata): Promise<unknown> {
	const signal = AbortSignal.timeout(APP_METADATA_TIMEOUT_MS);
	try {
		const response = await fetch(url, { headers: { accept: "application/json" }, redirect: "error", signal });
		if (response.status !== 200) {
			await response.body?.cancel();
			throw new Error(`Status ${response.status}`);
		}
		return JSON.parse(await readText(response));
	} catch (error) {
		throw Object.assign(invalidClient("cannot be read as JSON at its address"), { cause: error });
	}
}

async function readText({ body }: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body ?? []) {
		size += chunk.length;
		if (size > MAX_METADATA_BYTES) throw new Error("The document is too large.");
		chunks.push(chunk);
	}
	return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

const invalidClient = (problem: string): AuthorizationError =>
	new AuthorizationError("invalid_client", `The metadata document of the app ${problem}.`);
