import type { Scope } from "../credential";

/** Parameters with which an app asks a person for access (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). */
export interface AuthorizationRequest {
	/** Id of a registered app, or the address of its metadata document. */
	readonly client_id: string;
	readonly redirect_uri: string;
	/** `code` */
	readonly response_type: string;
	readonly code_challenge: string;
	/** `S256` */
	readonly code_challenge_method: string;
	/** Scopes with spaces between them. Default: those that the resource needs. */
	readonly scope?: string;
	readonly state?: string;
	/** Address of `/mcp`, or of an agent at `/a2a/…`. Default: `/mcp`. */
	readonly resource?: string;
	/** Origin of the service as the app knows it. Default: that of the page. */
	readonly issuer?: string;
}

/** App and access that a person is asked about. */
export interface AuthorizationPreview {
	readonly client: {
		readonly id: string;
		/** Name that the app gives itself: anybody can give any. */
		readonly name: string;
		/** Host of its metadata document, which vouches for it; `null` for an app that registered itself. */
		readonly host: string | null;
	};
	/** Host that the person is sent to; `null` for a program on the computer of the person. */
	readonly redirect_host: string | null;
	/** Scopes that it asks for and the person has. */
	readonly scopes: readonly Scope[];
	/** Path that the access is for: `/mcp`, or that of an agent. */
	readonly resource: string;
	readonly workspace: { readonly id: string; readonly name: string };
}

/** Decision of a person about a request of an app. */
export interface AuthorizationDecision extends AuthorizationRequest {
	readonly decision: "allow" | "deny";
}

/** Answer to a decision. */
export interface DecidedAuthorization {
	/** Address of the app that the page goes to, with a code or an error. */
	readonly redirect_to: string;
}

/** Access that a person has given to an app. */
export interface Authorization {
	/** `aut_…` */
	readonly id: string;
	readonly user_id: string;
	readonly client: { readonly id: string; readonly name: string };
	/** Host that the person was sent to; `null` for a program on the computer of the person. */
	readonly redirect_host: string | null;
	/** Scopes that the person agreed to; those count that the role still has. */
	readonly scopes: readonly Scope[];
	readonly resource: string;
	readonly created_at: string;
	/** Accurate to five minutes. */
	readonly last_used_at: string;
}
