/** Report of `checkDataFolder`. */
export interface DataFolderReport {
	readonly folder: string;
	/** A service runs on it. */
	readonly isServed: boolean;
	/** Free bytes on the disk of the folder. */
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
	/** Name of the workspace. */
	readonly name?: string;
	/** 0 where it is missing. */
	readonly bytes: number;
	readonly isSound: boolean;
}

export interface DataFolderProblem {
	/** An error keeps the service, or a workspace, from working; a warning does not. */
	readonly severity: "error" | "warning";
	/** Error code, such as `storage_corrupt`, `workspace_files_unknown` or `data_folder_open`. */
	readonly code: string;
	/** Relative to the folder. */
	readonly file?: string;
	readonly workspaceId?: string;
	readonly message: string;
	/** Action that solves the problem. */
	readonly hint: string;
}
