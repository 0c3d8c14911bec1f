/** A workspace as an object: what it holds is reached with its own credentials alone. */
export interface Workspace {
	/** `ws_…` */
	readonly id: string;
	/** Another for each workspace of a deployment. */
	readonly name: string;
	readonly created_at: string;
	/** `unavailable`: its file cannot be used; its requests are refused with 503 `workspace_unavailable`, others are served. */
	readonly status: "available" | "unavailable";
	/** Bytes that it uses of its file, as far as it is available. */
	readonly storage_bytes?: number;
	/** Problem that makes the workspace unavailable. */
	readonly problem?: WorkspaceProblem;
}

/** Problem of a workspace that is unavailable. */
export interface WorkspaceProblem {
	/** Code such as `storage_corrupt`, `storage_missing` or `storage_mismatch`. */
	readonly code: string;
	readonly message: string;
	/** Instruction on what to do. */
	readonly hint: string;
}

export interface WorkspaceCreate {
	/** 1 to 200 characters. */
	readonly name: string;
}

export interface WorkspaceUpdate {
	/** 1 to 200 characters. */
	readonly name: string;
}

/** A new workspace with its first credentials, which are shown once. */
export interface CreatedWorkspace extends Workspace {
	/** `cl_…`: a client that may do everything within the workspace. */
	readonly client_id: string;
	readonly client_secret: string;
	/** `ck_<id>_<secret>` */
	readonly client_key: string;
}
