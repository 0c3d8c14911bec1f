import type { Payer, RunError } from "@stemma/core";

/** Request to move a knowledge base to another embedding space. */
export interface ReindexRequest {
	/** Embedding model that the service has configured, or `none` for words alone. Default: the configured one. */
	readonly to?: string;
	/** Moves back to the space before the last move. Not together with `to`. Default false. */
	readonly undo?: boolean;
	/** Payer that the plan named: if another would pay by now, nothing starts (409 `payer_changed`). */
	readonly payer?: Payer;
}

/**
 * Move of a knowledge base to another embedding space, or the plan of one. Searches use the former vectors until it is
 * `completed`; these are kept until `undo_until`.
 */
export interface Reindex {
	readonly knowledge_base_id: string;
	/**
	 * `idle`: it was not moved, or the vectors before the last move are dropped. `paused`: `error` says why; it continues by
	 * itself unless only a change by you can help.
	 */
	readonly status: "idle" | "planned" | "running" | "paused" | "completed" | "dropping";
	/** Space of the vectors that searches use; `null`: words alone. */
	readonly from: ReindexSpace | null;
	/** Space that the knowledge base moves to or, when it is `completed`, the one that an undo moves back to. */
	readonly to: ReindexSpace | null;
	readonly passages: ReindexCounts;
	/** Payer of the vectors. */
	readonly payer: Payer;
	readonly error: RunError | null;
	/** Present in plans. */
	readonly plan?: ReindexPlan;
	/** RFC 3339; `null` in plans, and where it is `idle`. */
	readonly started_at: string | null;
	readonly completed_at: string | null;
	/** The vectors of the former space are dropped after that. `null`: nothing is kept. */
	readonly undo_until: string | null;
}

/** Embedding space as callers see it. */
export interface ReindexSpace {
	readonly model: string;
	/** Host of the model's vendor; empty for a model that runs in the service itself. */
	readonly vendor_host: string;
	/** Length of the vectors; left out while it is unknown. */
	readonly dimensions?: number;
}

/** Numbers of passages. */
export interface ReindexCounts {
	readonly total: number;
	/** Passages with a vector of the new space, or without the need of one. */
	readonly done: number;
	/** Passages that the model refused. They are among `done`, and are found by their words. */
	readonly skipped: number;
}

/** Cost of a move before it starts. */
export interface ReindexPlan {
	/** Passages that get a vector. */
	readonly passages: number;
	/** Estimate: a token for every four characters. */
	readonly estimated_tokens: number;
	/** Upper bound: one for each byte. */
	readonly max_tokens: number;
	/** Sentence that says who pays, and why. */
	readonly reason: string;
}
