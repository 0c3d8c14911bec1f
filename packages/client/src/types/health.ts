/** The process is alive. */
export interface ServiceHealth {
	readonly status: "ok";
	readonly version: string;
}

/** The service can do its work: its stores are open and within reach. */
export interface ServiceReadiness {
	readonly status: "ready";
	readonly version: string;
	/** What an operator should mend, though the service works. Left out where there is nothing. */
	readonly warnings?: readonly ServiceWarning[];
}

export interface ServiceWarning {
	/**
	 * `llm_settings_ignored`: settings of workspaces do not apply, because the service has no encryption key.
	 * `workspace_unavailable`: the files of workspaces are damaged or missing; the others are served.
	 */
	readonly code: string;
	/** What is wrong and what to do, in sentences. */
	readonly message: string;
}
