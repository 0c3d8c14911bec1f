/** A workspace as an object: what it holds is reached with its own credentials alone. */
export interface Workspace {
	/** `ws_…` */
	readonly id: string;
	/** Another for each workspace of a deployment. */
	readonly name: string;
	readonly created_at: string;
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
