import type { RestrictedFiles } from "../../store/data-folder/private-files";
import type { StoreOpener } from "../../store/store-opener";

/** Data folder or database that a deployment's stores are in, and that no other service has. */
export interface StoreBackend {
	readonly opener: StoreOpener;
	/** Files and folders that other users could access until this start. */
	readonly files: RestrictedFiles;
	/**
	 * Lists names of files that would be workspaces' if the deployment knew them.
	 *
	 * @param known - ids of the deployment's workspaces.
	 */
	listUnknownFiles(known: readonly string[]): Promise<readonly string[]>;
	/** Lets the next service in. */
	release(): Promise<void>;
}
