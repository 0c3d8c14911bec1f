import type { AgentGraphIssue } from "@stemma/core/errors";

/** An agent file of a runtime. */
export interface RuntimeAgent {
	readonly id: string;
	readonly form: "graph" | "manifest";
	readonly name: string | null;
	readonly description: string | null;
	readonly status: "ready" | "invalid";
	/**
	 * Errors of the file. A manifest whose agent the service does not have is `invalid` too (`agent_not_found`); so is
	 * one that the runtime's credentials may not run (`insufficient_scope`).
	 */
	readonly issues?: readonly (AgentGraphIssue | RuntimeAgentIssue)[];
	/** Probable mistakes that are allowed, such as an unknown field of a manifest. The agent still runs. */
	readonly warnings?: readonly RuntimeAgentIssue[];
	/** Relative to the folder. */
	readonly file: string;
	/** Fingerprint of the content. */
	readonly version: string;
}

/** Problem of a file beyond its graph. */
export interface RuntimeAgentIssue {
	readonly code: string;
	readonly message: string;
	readonly path: readonly (string | number)[];
}

export interface RuntimeAgentList {
	readonly data: readonly RuntimeAgent[];
}

/** `GET /healthz`: the process is alive, whatever it can do. */
export interface RuntimeHealth {
	readonly status: "ok";
	readonly version: string;
	readonly agents: { readonly ready: number; readonly invalid: number };
	/** Last known state of the service. Older runtimes leave it out. */
	readonly service?: RuntimeServiceStatus;
}

/**
 * State of the service that a runtime uses: `none` where it uses none, `unchecked` before the first check, `refused` where the
 * credentials of the runtime are wrong, `unavailable` where the service cannot be reached or is not ready.
 */
export type RuntimeServiceStatus = "none" | "unchecked" | "ok" | "refused" | "unavailable";

/** `GET /readyz` with status 200: runs can be started. */
export interface RuntimeReadiness {
	readonly status: "ready";
	readonly version: string;
	readonly agents: { readonly ready: number; readonly invalid: number };
	readonly service: "ok" | "none";
}
