import type { Answer, WireRunEvent } from "@stemma/client";
import type { Citation, Place } from "@stemma/core";
import type { Caller } from "../auth/caller";
import type { DocumentTokens } from "../auth/tokens/document-tokens";
import { toPublicSource } from "./public-source";

/** Passage or citation that names its document. */
interface DocumentReference {
	readonly document_id: string;
	readonly source?: string | null;
	readonly title: string;
	readonly also_in?: readonly DocumentReference[];
	readonly place: Place;
}

/**
 * Prepares passages and citations for client keys: a source shows nothing of the machine that it came from, and they get
 * a `document_url`. Adds `document_url` to passages and citations for client keys, which have no other way to open a document. The address
 * has a token of its own and lasts minutes: it is added whenever something is sent, and never stored.
 */
export interface DocumentLinks {
	/** True where nothing is added: the caller reads documents with its own credential. */
	readonly isEmpty: boolean;
	link<Reference extends DocumentReference>(references: readonly Reference[]): readonly Reference[];
	/** Links the citations of an answer or of a result. */
	linkCitations<Cited extends { readonly citations: readonly Citation[] }>(cited: Cited): Cited;
}

export interface DocumentLinksOptions {
	readonly caller: Caller;
	/** Origin that the caller knows the service by. */
	readonly readOrigin: () => string;
	readonly tokens: DocumentTokens;
}

const NO_LINKS: DocumentLinks = {
	isEmpty: true,
	link: (references) => references,
	linkCitations: (cited) => cited,
};

export function createDocumentLinks({ caller, readOrigin, tokens }: DocumentLinksOptions): DocumentLinks {
	if (caller.kind !== "client_key") return NO_LINKS;
	const clientKeyId = caller.id;
	function link<Reference extends DocumentReference>(references: readonly Reference[]): Reference[] {
		if (references.length === 0) return [];
		const origin = readOrigin();
		const addresses = new Map<string, string>();
		return references.map((reference) => {
			const { document_id: documentId, place } = reference;
			const address =
				addresses.get(documentId) ??
				`${origin}/v1/documents/${documentId}/file?token=${tokens.create({ clientKeyId, documentId })}`;
			addresses.set(documentId, address);
			const document_url = address + toFragment(place);
			return { ...toPublicReference(reference), document_url };
		});
	}
	return {
		isEmpty: false,
		link,
		linkCitations: (cited) =>
			cited.citations.length === 0 ? cited : { ...cited, citations: link(cited.citations) },
	};
}

/** Links the citations of an answer, and the passages that it was made from. */
export const linkAnswer = (answer: Answer, links: DocumentLinks): Answer =>
	links.linkCitations({ ...answer, passages: links.link(answer.passages) });

/** Links the citations of the result that an event carries. */
export const linkEvent = (event: WireRunEvent, links: DocumentLinks): WireRunEvent =>
	"result" in event ? { ...event, result: links.linkCitations(event.result) } : event;

/** A reference as pages may see it, also of the same passage elsewhere: see {@link toPublicSource}. */
function toPublicReference<Reference extends DocumentReference>(reference: Reference): Reference {
	const { source, title, also_in: copies } = reference;
	const shown = typeof source === "string" ? toPublicSource(source) : undefined;
	return {
		...reference,
		...(shown !== undefined && { source: shown }),
		// A document without a title of its own has its source for one.
		...(shown !== undefined && title === source && { title: shown }),
		...(copies !== undefined && { also_in: copies.map(toPublicReference) }),
	};
}

/** Opens a PDF at the page (RFC 8118). */
const toFragment = ({ page }: Place): string => (page === undefined ? "" : `#page=${page}`);
