import type { AuditEntry } from "../audit/audit-record";
import type { PageRequest } from "../pagination";
import type {
	App,
	AuthorizationMember,
	NewCode,
	NewTokens,
	StoredAuthorization,
	StoredCode,
} from "./stored-authorizations";

/** Outcome of the use of a code or a refresh token. */
export type ExchangeOutcome =
	| ({ readonly kind: "done" } & AuthorizationMember)
	/** It was used before: whoever has it besides has stolen it, so the authorization has ended. */
	| { readonly kind: "reused"; readonly authorization: StoredAuthorization }
	| { readonly kind: "unknown" };

/** Makes tokens for a code; called in the transaction, and what it throws changes nothing. */
export type DecideCode = (code: StoredCode, authorization: StoredAuthorization) => NewTokens;

/** Makes tokens for a refresh token; called in the transaction, and what it throws changes nothing. */
export type DecideRefresh = (authorization: StoredAuthorization) => NewTokens;

/** Authorizations of all workspaces in the store of the deployment. Each ends with its member. */
export interface AuthorizationRepository {
	/** Adds an authorization with its code and records it, in one transaction. The oldest of the user beyond `max` end. */
	insert(authorization: StoredAuthorization, code: NewCode, audit: AuditEntry, max: number): Promise<void>;
	/** Exchanges a code, once; one that is used again ends its authorization. */
	exchangeCode(codeHash: Uint8Array, now: number, decide: DecideCode): Promise<ExchangeOutcome>;
	/** Replaces a refresh token; one that was replaced before ends its authorization. */
	exchangeRefresh(tokenHash: Uint8Array, now: number, decide: DecideRefresh): Promise<ExchangeOutcome>;
	/** Finds the authorization of an active member by an access token that has not expired. */
	findByAccessToken(tokenHash: Uint8Array, now: number): Promise<AuthorizationMember | undefined>;
	/** Finds the authorization of a token of either kind. */
	findByToken(tokenHash: Uint8Array): Promise<StoredAuthorization | undefined>;
	/** Finds an authorization of an active member by its id. */
	findMember(id: string): Promise<AuthorizationMember | undefined>;
	find(workspaceId: string, id: string): Promise<StoredAuthorization | undefined>;
	/** Lists the ids of those of some authorizations that are there. */
	listLive(ids: readonly string[]): Promise<readonly string[]>;
	/** Lists the authorizations of a user whose code was exchanged, newest first; one more than `limit`, where there are more. */
	list(workspaceId: string, userId: string, page: PageRequest): Promise<readonly StoredAuthorization[]>;
	/** Stores that an authorization was used. */
	touch(id: string, now: number): Promise<void>;
	/** Deletes an authorization with its tokens and records it, in one transaction; false where there is none. */
	delete(workspaceId: string, id: string, audit: AuditEntry): Promise<boolean>;
	/** Deletes what has expired, and authorizations of which nothing is left. */
	deleteExpired(now: number): Promise<void>;
}

/** Apps that registered themselves (RFC 7591). */
export interface AppRepository {
	find(id: string): Promise<App | undefined>;
	/** Adds an app; the oldest ones that nobody has given access are deleted beyond `max`. */
	insert(app: App, now: number, max: number): Promise<void>;
	/** Deletes the apps of before that nobody has given access. */
	deleteUnused(createdBefore: number): Promise<void>;
}
