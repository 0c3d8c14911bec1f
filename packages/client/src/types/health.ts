/** The process is alive. */
export interface ServiceHealth {
	readonly status: "ok";
	readonly version: string;
}

/** The service can do its work: its stores are open and within reach. */
export interface ServiceReadiness {
	readonly status: "ready";
	readonly version: string;
}
