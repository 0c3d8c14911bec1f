import type { WorkspaceModels } from "@stemma/routing";
import type { Secret } from "../encryption/secret";

/** The model settings of a workspace, opened for one call. */
export interface WorkspaceCredential {
	readonly workspaceId: string;
	/** Settings as they decide who answers: without the key. */
	readonly settings: WorkspaceModels;
	/** Left out where there is none, or where it cannot be opened. */
	readonly apiKey?: Secret | undefined;
	/** Another one whenever anything of them changes, the key included. Left out for what is not stored. */
	readonly version?: string | undefined;
}
