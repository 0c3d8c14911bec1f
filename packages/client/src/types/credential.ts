/** Permission of a credential. */
export type Scope =
	| "ask"
	| "agents:run"
	| "agents:write"
	| "agents:trace"
	| "runs:approve"
	| "knowledge:read"
	| "knowledge:write"
	| "settings:read"
	| "settings:write"
	| "keys:write"
	/** Creates, lists, renames and deletes workspaces; nothing within them. */
	| "deployment:write";

/** A server's credential. */
export interface ApiClient {
	/** `cl_…`: the client id. */
	readonly id: string;
	readonly name: string;
	readonly scopes: readonly Scope[];
	readonly created_at: string;
}

export interface ApiClientCreate {
	readonly name: string;
	/** Default: those of the caller, but for `deployment:write`, which must be named. Nobody can give what they lack. */
	readonly scopes?: readonly Scope[];
}

/** New client with its secret, which is shown once. */
export interface CreatedApiClient extends ApiClient {
	readonly client_secret: string;
}

/** A credential for browsers and phones. */
export interface ClientKey {
	/** `ck_…` without the secret. */
	readonly id: string;
	readonly name: string;
	readonly scopes: readonly ("ask" | "agents:run")[];
	/** Pages that may use it: `https://app.example`. */
	readonly origins: readonly string[];
	/** True where requests without an `Origin` are allowed, too: phones. */
	readonly native: boolean;
	/** Ids or slugs; `null` for all. */
	readonly agents: readonly string[] | null;
	/** `null` for all. */
	readonly knowledge_base_ids: readonly string[] | null;
	readonly requests_per_minute: number;
	/** Input and output tokens of a day, UTC. */
	readonly tokens_per_day: number;
	/** True where the key may call `chat/completions`, with the default model. */
	readonly models: boolean;
	/** `answer`: only final text, citations and usage; `trace`: everything. */
	readonly expose: "answer" | "trace";
	readonly created_at: string;
}

export interface ClientKeyCreate {
	readonly name: string;
	/** Default: both. */
	readonly scopes?: readonly ("ask" | "agents:run")[];
	/** Allowed origins: at least one, unless `native: true` is set. */
	readonly origins?: readonly string[];
	/** Default false. */
	readonly native?: boolean;
	readonly agents?: readonly string[] | null;
	readonly knowledge_base_ids?: readonly string[] | null;
	/** Default 60. */
	readonly requests_per_minute?: number;
	/** Default 200,000. */
	readonly tokens_per_day?: number;
	/** Default false. */
	readonly models?: boolean;
	/** Default `answer`. */
	readonly expose?: "answer" | "trace";
}

/** New client key with the key itself, which is shown once. */
export interface CreatedClientKey extends ClientKey {
	/** `ck_<id>_<secret>`: what a browser sends. */
	readonly client_key: string;
}
