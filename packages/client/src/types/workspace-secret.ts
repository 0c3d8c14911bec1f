/** A secret that tools send, bound to one server. Its value is never read back. */
export interface WorkspaceSecret {
	/** Lower-case letters, digits, `_` and `-`: 1 to 64. */
	readonly name: string;
	/** The only server that it is sent to. */
	readonly server_url: string;
	/** `undecryptable`: no encryption key of the service opens it. Set it again. */
	readonly status: "ok" | "undecryptable";
	readonly created_at: string;
	readonly updated_at: string;
	/** `cl_…` */
	readonly updated_by: string;
}

/** A secret to be stored. Another `server_url` needs the value anew. */
export interface WorkspaceSecretUpdate {
	readonly server_url: string;
	/** Left out, the value that is stored stays, for the same `server_url` alone. */
	readonly value?: string;
}
