import type { ClientKey } from "@stemma/client";
import { DomainError } from "../errors/domain-error";
import type { Caller, ClientKeyCaller } from "./caller";
import { findClientKeyById, findClientKeyCaller } from "./client-keys/client-key-callers";
import type { ClientKeyRepository } from "./client-keys/client-key-repository";
import { createRateLimiter, type RateLimiter } from "./rate-limiter";
import type { AccessTokens } from "./tokens/access-tokens";
import { type DocumentTokens, invalidDocumentToken } from "./tokens/document-tokens";

/** The headers that say who sent a request. */
export interface RequestCredentials {
	readonly authorization: string | undefined;
	readonly origin: string | undefined;
	/** The credential may be a client id and its secret: see {@link Authenticator.authenticate}. Default false. */
	readonly allowsClientSecret?: boolean;
}

/** Address of a document with a token of its own. */
export interface DocumentAddress {
	readonly documentId: string;
	readonly token: string | undefined;
	/** Left out by links, frames and images: these send none. */
	readonly origin: string | undefined;
}

/** Tells who sent a request. */
export interface Authenticator {
	/**
	 * Finds the caller of an access token or a client key; where it is allowed, of `cl_….cs_…` too: programs that keep one
	 * API key cannot get tokens.
	 *
	 * @throws DomainError `missing_credentials`, `invalid_credentials`; `origin_not_allowed` for a client key that is used
	 * from elsewhere.
	 */
	authenticate(credentials: RequestCredentials): Promise<Caller>;
	/**
	 * Finds the client key that the address of a document was made for.
	 *
	 * @throws DomainError `missing_credentials`, `invalid_credentials`, `document_token_expired`, `document_not_allowed`;
	 * `origin_not_allowed` for a page that the client key is not for.
	 */
	authenticateDocument(address: DocumentAddress): Promise<Caller>;
	/** Checks that the client or the client key behind a caller has not been deleted. */
	isKnown(caller: Pick<Caller, "kind" | "id">): Promise<boolean>;
	/** @throws DomainError `rate_limited` when the caller or its workspace has sent too many requests in the last minute. */
	countRequest(caller: Caller): void;
	/** Counts a large JSON body of a request that was counted: each {@link BODY_BYTES_PER_REQUEST} are one request more. */
	countBody(caller: Caller, bytes: number): void;
	/** The client key of that id as it is now, for a run that it has started; nothing once it is deleted. */
	findClientKey(id: string): Promise<ClientKeyCaller | undefined>;
}

/** Bytes of a JSON body that count as one more request: reading them takes about as long as a small request. */
export const BODY_BYTES_PER_REQUEST = 64 * 1024;

/** @param requestsPerMinute - of a workspace, all its callers together. */
export function createAuthenticator(
	clientKeys: ClientKeyRepository,
	tokens: AccessTokens,
	requestsPerMinute: number,
	documentTokens: DocumentTokens,
	rate: RateLimiter = createRateLimiter(),
): Authenticator {
	return {
		async authenticate({ authorization, origin, allowsClientSecret = false }) {
			const credential = readBearer(authorization);
			const secret = allowsClientSecret ? CLIENT_SECRET.exec(credential)?.groups : undefined;
			if (secret !== undefined) {
				const caller = await tokens.findClient(secret.id ?? "", secret.secret ?? "");
				if (caller === undefined) throw invalidCredentials();
				return caller;
			}
			if (!credential.startsWith("ck_")) {
				const caller = await tokens.findCaller(credential);
				if (caller === undefined) throw invalidCredentials();
				return caller;
			}
			const clientKey = await findClientKeyCaller(clientKeys, credential);
			if (clientKey === undefined) throw invalidCredentials();
			assertOrigin(clientKey.key, origin);
			return clientKey.caller;
		},
		async authenticateDocument({ token, documentId, origin }) {
			const clientKey = await findClientKeyById(clientKeys, documentTokens.read(token, documentId));
			if (clientKey === undefined) throw invalidDocumentToken();
			if (origin !== undefined) assertOrigin(clientKey.key, origin);
			return clientKey.caller;
		},
		isKnown: async ({ kind, id }) =>
			kind === "client" ? tokens.hasClient(id) : (await findClientKeyById(clientKeys, id)) !== undefined,
		countRequest(caller) {
			if (caller.kind === "client_key")
				assertRate(rate.count(caller.id, caller.requestsPerMinute), "client key", caller.requestsPerMinute);
			assertRate(rate.count(caller.workspaceId, requestsPerMinute), "workspace", requestsPerMinute);
		},
		countBody(caller, bytes) {
			const requests = Math.floor(bytes / BODY_BYTES_PER_REQUEST);
			if (requests === 0) return;
			if (caller.kind === "client_key") rate.charge(caller.id, requests);
			rate.charge(caller.workspaceId, requests);
		},
		findClientKey: async (id) => (await findClientKeyById(clientKeys, id))?.caller,
	};
}

/** A client id and its secret as one text. */
const CLIENT_SECRET = /^(?<id>cl_[0-9a-z]{26})\.(?<secret>cs_[\w-]+)$/;

function readBearer(authorization: string | undefined): string {
	if (authorization === undefined)
		throw new DomainError("missing_credentials", "This needs a credential.", {
			hint: "Send the header Authorization: Bearer <access token or client key>. Tokens come from POST /oauth/token.",
		});
	const [, credential] = /^Bearer +([\w.~+/=-]{1,400}) *$/i.exec(authorization) ?? [];
	if (credential === undefined) throw invalidCredentials();
	return credential;
}

/** Refusal of a credential that nobody has, or nobody any more. */
export const invalidCredentials = (): DomainError =>
	new DomainError(
		"invalid_credentials",
		"The credential is not valid: it is wrong, has expired or was deleted.",
		{
			hint: "Access tokens last 15 minutes: get a new one from POST /oauth/token. Client keys last until they are deleted.",
		},
	);

function assertOrigin({ origins, native }: ClientKey, origin: string | undefined): void {
	if (origin === undefined ? native : origins.includes(origin)) return;
	if (origin === undefined)
		throw new DomainError(
			"origin_not_allowed",
			"This client key is for browsers: it needs an Origin header.",
			{
				hint: "For phones, create a client key with native: true; for servers, use a client.",
			},
		);
	throw new DomainError("origin_not_allowed", "This client key may not be used from this origin.", {
		hint: "Create a client key whose origins include exactly this origin: scheme, host and port.",
	});
}

function assertRate(secondsToWait: number, owner: string, perMinute: number): void {
	if (secondsToWait === 0) return;
	throw new DomainError("rate_limited", `This ${owner} may send ${perMinute} requests a minute.`, {
		hint: "Wait as long as the header retry-after says.",
		retryAfterSeconds: secondsToWait,
	});
}
