import { sha256 } from "@stemma/core/internal/sha-256";

/** Document that stays as it is while the process runs, as it is sent. */
export interface ServedDocument {
	/** JSON. */
	readonly text: string;
	/** Strong entity tag, with its quotes. */
	readonly etag: string;
}

/**
 * Creates a reader of a document that is loaded, and made into text, when it is first asked for.
 *
 * @param load - of JSON.
 */
export function createServedDocument(load: () => Promise<unknown>): () => Promise<ServedDocument> {
	let document: Promise<ServedDocument> | undefined;
	return () => {
		document ??= load().then(toDocument);
		return document;
	};
}

function toDocument(json: unknown): ServedDocument {
	const text = JSON.stringify(json);
	return { text, etag: `"${sha256(text).slice(0, 32)}"` };
}

/** Checks whether the header `If-None-Match` lists a tag, or any (RFC 9110, section 13.1.2). */
export const listsEtag = (header: string, etag: string): boolean =>
	header.split(",").some((part) => {
		const tag = part.trim();
		return tag === "*" || tag.replace(/^W\//, "") === etag;
	});
