/** Options of a backup. */
export interface CreateBackupOptions {
	/** Replaces a file of that name. Default false. */
	readonly canReplace?: boolean | undefined;
	/**
	 * Leaves workspaces out whose file is damaged or missing, and names them in the manifest. Default false: it fails. A database
	 * is backed up whole, or not at all.
	 */
	readonly skipsDamaged?: boolean | undefined;
	/** Called while files are copied, or the database is. */
	readonly onProgress?: ((done: number, total: number, file: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Options of a restoration. */
export interface RestoreBackupOptions {
	/**
	 * Restores a database although the settings have no key for some credentials in it. Default false: it fails. For a data folder
	 * it has no meaning, as its keys are not asked for.
	 */
	readonly allowsMissingKeys?: boolean | undefined;
	/** Called while the archive is read, in bytes. */
	readonly onProgress?: ((done: number, total: number, file: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}
