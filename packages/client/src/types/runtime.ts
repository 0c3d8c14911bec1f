import type { AgentGraphIssue } from "@stemma/core/errors";

/** An agent file of a runtime. */
export interface RuntimeAgent {
	readonly id: string;
	readonly form: "graph" | "manifest";
	readonly name: string | null;
	readonly description: string | null;
	readonly status: "ready" | "invalid";
	/** What is wrong with an invalid one. */
	readonly issues?: readonly (AgentGraphIssue | RuntimeAgentIssue)[];
	/** Relative to the folder. */
	readonly file: string;
	/** Fingerprint of the content. */
	readonly version: string;
}

/** What is wrong with a file beyond its graph. */
export interface RuntimeAgentIssue {
	readonly code: string;
	readonly message: string;
	readonly path: readonly (string | number)[];
}

export interface RuntimeAgentList {
	readonly data: readonly RuntimeAgent[];
}

export interface RuntimeHealth {
	readonly status: "ok";
	readonly version: string;
	readonly agents: { readonly ready: number; readonly invalid: number };
}
