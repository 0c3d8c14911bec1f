/** The process is alive. */
export interface ServiceHealth {
	readonly status: "ok";
	readonly version: string;
}

/** The service can do its work: its stores are open and within reach. */
export interface ServiceReadiness {
	readonly status: "ready";
	readonly version: string;
	/** Problems that an operator should fix, though the service works. Left out where there are none. */
	readonly warnings?: readonly ServiceWarning[];
}

export interface ServiceWarning {
	/**
	 * `llm_settings_ignored`: settings of workspaces do not apply, because the service has no encryption key.
	 * `workspace_unavailable`: the files of workspaces are damaged or missing; the others are served.
	 */
	readonly code: string;
	/** Message in sentences: what is wrong and what to do. */
	readonly message: string;
}
