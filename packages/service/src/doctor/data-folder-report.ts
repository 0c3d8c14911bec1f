/** What `checkDataFolder` has found. */
export interface DataFolderReport {
	readonly folder: string;
	/** A service runs on it. */
	readonly isServed: boolean;
	/** Of its disk. */
	readonly freeBytes: number;
	/** Each database of the folder: that of the deployment first, then those of workspaces. */
	readonly files: readonly CheckedFile[];
	/** Errors first. */
	readonly problems: readonly DataFolderProblem[];
}

export interface CheckedFile {
	/** Relative to the folder. */
	readonly file: string;
	readonly workspaceId?: string;
	/** Of the workspace. */
	readonly name?: string;
	/** 0 where it is missing. */
	readonly bytes: number;
	readonly isSound: boolean;
}

export interface DataFolderProblem {
	/** An error keeps the service, or a workspace, from working; a warning does not. */
	readonly severity: "error" | "warning";
	/** Such as `storage_corrupt`, `workspace_files_unknown` or `data_folder_open`. */
	readonly code: string;
	/** Relative to the folder. */
	readonly file?: string;
	readonly workspaceId?: string;
	readonly message: string;
	/** What to do. */
	readonly hint: string;
}
