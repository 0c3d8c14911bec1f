/** Report of `checkDataFolder`. */
export interface DataFolderReport {
	readonly folder: string;
	/** A service runs on it. */
	readonly isServed: boolean;
	/** Instances of the service that serve the database, the oldest first; left out for a data folder on SQLite. */
	readonly instances?: readonly ReportedInstance[];
	/** Free bytes on the disk of the folder. */
	readonly freeBytes: number;
	/** Each database of the folder: that of the deployment first, then those of workspaces. */
	readonly files: readonly CheckedFile[];
	/** Errors first. */
	readonly problems: readonly DataFolderProblem[];
}

/** Instance of the service that serves a database. */
export interface ReportedInstance {
	/** `ins_…` */
	readonly id: string;
	/** Version of Stemma. */
	readonly version: string;
	/** Name of its machine, pod or container. */
	readonly host: string;
	readonly startedAt: Date;
	/** Time at which it has last renewed its lease. */
	readonly lastSeenAt: Date;
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
