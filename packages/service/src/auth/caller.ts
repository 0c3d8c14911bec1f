import type { Role, Scope } from "@stemma/client";

/** A server, by an access token. */
export interface ClientCaller {
	readonly kind: "client";
	/** `cl_…` */
	readonly id: string;
	readonly workspaceId: string;
	/** Scopes of its token. */
	readonly scopes: readonly Scope[];
}

/** A browser or a phone, by a client key. */
export interface ClientKeyCaller {
	readonly kind: "client_key";
	/** `ck_…`, without the secret. */
	readonly id: string;
	readonly workspaceId: string;
	readonly scopes: readonly Scope[];
	/** Ids or slugs that it may run; `null` for all. */
	readonly agents: readonly string[] | null;
	/** `null` for all. */
	readonly knowledgeBaseIds: readonly string[] | null;
	/** True where the key may call `chat/completions`, with the default model. */
	readonly models: boolean;
	readonly expose: "answer" | "trace";
	readonly requestsPerMinute: number;
	/** Token budget of a day, UTC. */
	readonly tokensPerDay: number;
}

/** A person, by the cookie of a session or an access token of an issuer, or an app that acts as the person. */
export interface UserCaller {
	readonly kind: "user";
	/** `usr_…` */
	readonly id: string;
	readonly workspaceId: string;
	/** Role in the workspace. */
	readonly role: Role;
	/** Scopes of the role; for an app, those of them that the person agreed to. */
	readonly scopes: readonly Scope[];
	/** `ses_…`; `jwt_…` for an access token of an issuer; for an app, the `aut_…` that the person gave it. */
	readonly sessionId: string;
}

/** Sender of a request. */
export type Caller = ClientCaller | ClientKeyCaller | UserCaller;
