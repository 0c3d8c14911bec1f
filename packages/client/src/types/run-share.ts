import type { Citation, Json, NodeKind, ReceiptRow, RunStatus } from "@stemma/core";

/**
 * Part of a run that a link to it shows. `input`: the question. `output`: the answer with title and text of its citations,
 * or the error. `links`: web addresses of cited documents. `steps`: nodes with kind, time and state. `tools`: what tools and
 * other agents were given and what they returned. `receipt`: calls of models, with who paid.
 */
export type RunShareField = "input" | "output" | "links" | "steps" | "tools" | "receipt";

/** Request for a link to a run that has ended. */
export interface RunShareCreate {
	/** Parts that the link shows, at least one; `links` needs `output`, and `tools` needs `steps`. */
	readonly fields: readonly RunShareField[];
	/** Whole hours from 1 to 720 (30 days), after which the link is no longer valid. Default 168 (7 days). */
	readonly expires_in_hours?: number;
}

/** Link to a run for people who need not sign in. */
export interface RunShare {
	/** `shr_…` */
	readonly id: string;
	readonly run_id: string;
	readonly fields: readonly RunShareField[];
	/** `usr_…` or `cl_…` */
	readonly created_by: string;
	readonly created_at: string;
	readonly expires_at: string;
	/** Number of times that the link was opened. */
	readonly views: number;
}

/** New link, which is shown once. */
export interface CreatedRunShare extends RunShare {
	/** Address of the page with the run. Whoever has it can open it. */
	readonly link: string;
	/** Token of the link: what follows `#shared=` in its address. */
	readonly token: string;
}

/** Citation in a shared run: no document can be read by it. */
export interface SharedCitation extends Pick<Citation, "n" | "title" | "text" | "support"> {
	/** Address of the document on the web, for links with the field `links`. */
	readonly url?: string;
}

/** Error of a shared run or step. */
export interface SharedRunError {
	readonly code: string;
	readonly message: string;
}

/** One invocation of a node. */
export interface SharedRunStep {
	readonly invocation: number;
	/** The invocation that led to it; left out for the first one. */
	readonly parent?: number;
	/** Id of the node. */
	readonly node: string;
	readonly kind: NodeKind;
	/** `stopped`: the run ended before it did. */
	readonly status: "completed" | "failed" | "stopped";
	readonly started_at: string;
	/** `null` for a step that was stopped. */
	readonly ended_at: string | null;
	/** Arguments of a tool, or input of another agent, for links with the field `tools`. */
	readonly input?: Json;
	/** Result of a tool or of another agent, for links with the field `tools`. */
	readonly output?: Json;
	readonly error?: SharedRunError;
}

/** Run as a link to it shows it; parts that were not chosen are left out. */
export interface SharedRun {
	readonly status: Exclude<RunStatus, "paused">;
	readonly created_at: string;
	readonly ended_at: string | null;
	/** Time from which on the link is no longer valid. */
	readonly expires_at: string;
	/** Parts that are shown. */
	readonly fields: readonly RunShareField[];
	readonly input?: Json;
	readonly output?: Json;
	readonly citations?: readonly SharedCitation[];
	/** Error of a run that failed, for links with the field `output`. */
	readonly error?: SharedRunError;
	/** Steps in the order of their start. */
	readonly steps?: readonly SharedRunStep[];
	/** True where there were more steps than are shown. */
	readonly steps_truncated?: boolean;
	readonly receipt?: readonly ReceiptRow[];
}
