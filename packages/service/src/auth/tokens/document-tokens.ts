import { timingSafeEqual } from "node:crypto";
import { DomainError } from "../../errors/domain-error";
import type { Fingerprint } from "../fingerprint";

/** Client key and document that a token is for. */
export interface DocumentTokenSubject {
	/** `ck_…`, without the secret. */
	readonly clientKeyId: string;
	/** `doc_…` */
	readonly documentId: string;
}

/** Short-lived tokens that let who holds one read one document, as part of its address. */
export interface DocumentTokens {
	/**
	 * Creates a token that lasts at least {@link DOCUMENT_TOKEN_TTL_MS}. Tokens of one subject are the same for
	 * {@link DOCUMENT_TOKEN_STEP_MS}, so that browsers find a document that they opened before in their cache.
	 */
	create(subject: DocumentTokenSubject): string;
	/**
	 * Returns the id of the client key that a token was made for.
	 *
	 * @throws DomainError `missing_credentials`, `invalid_credentials`; `document_token_expired`;
	 * `document_not_allowed` for a token of another document.
	 */
	read(token: string | undefined, documentId: string): string;
}

export const DOCUMENT_TOKEN_TTL_MS = 15 * 60_000;
/** Tokens expire at multiples of this time. */
export const DOCUMENT_TOKEN_STEP_MS = 5 * 60_000;

/** Document, client key, end in seconds (base 36), signature; all in characters that a URL needs no escapes for. */
const TOKEN = /^dt_([0-9a-z]{1,40})_([0-9a-z]{1,40})_([0-9a-z]{1,10})_([A-Za-z0-9_-]{43})$/;
const RADIX = 36;

/** @param sign - with a secret of the deployment that signs nothing else. */
export function createDocumentTokens(sign: Fingerprint, now: () => number): DocumentTokens {
	return {
		create({ clientKeyId, documentId }) {
			const expires = (expiresAt(now()) / 1000).toString(RADIX);
			const content = `${withoutPrefix(documentId)}_${withoutPrefix(clientKeyId)}_${expires}`;
			return `dt_${content}_${sign(content)}`;
		},
		read(token, documentId) {
			if (token === undefined) throw tokenMissing();
			const [, document = "", key = "", expires = "", signature = ""] = TOKEN.exec(token) ?? [];
			const expected = Buffer.from(sign(`${document}_${key}_${expires}`));
			const given = Buffer.from(signature);
			if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalidDocumentToken();
			if (`doc_${document}` !== documentId) throw documentNotAllowed();
			if (Number.parseInt(expires, RADIX) * 1000 <= now()) throw tokenExpired();
			return `ck_${key}`;
		},
	};
}

const expiresAt = (now: number): number =>
	Math.ceil((now + DOCUMENT_TOKEN_TTL_MS) / DOCUMENT_TOKEN_STEP_MS) * DOCUMENT_TOKEN_STEP_MS;

const withoutPrefix = (id: string): string => id.slice(id.indexOf("_") + 1);

const NEW_ADDRESS = "Ask again, or read the run again: each answer has new addresses, which last 15 minutes.";

const tokenMissing = (): DomainError =>
	new DomainError("missing_credentials", "The address of the document has no token.", {
		hint: 'Use "document_url" of a citation or passage as it is, with its query.',
		param: "token",
	});

/** Refusal of a token that was never made, or whose client key is gone. */
export const invalidDocumentToken = (): DomainError =>
	new DomainError(
		"invalid_credentials",
		"The token in the address is not valid, or its client key was deleted.",
		{
			hint: NEW_ADDRESS,
			param: "token",
		},
	);

const tokenExpired = (): DomainError =>
	new DomainError("document_token_expired", "The address of the document has expired.", {
		hint: NEW_ADDRESS,
		param: "token",
	});

const documentNotAllowed = (): DomainError =>
	new DomainError("document_not_allowed", "The token in the address is for another document.", {
		hint: 'A token opens the document of its citation alone. Use "document_url" as it is.',
		param: "token",
	});
