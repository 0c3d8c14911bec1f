/**
 * Tables of runs that wait for a person. A saved run holds what its events hold, and is stored unencrypted like them:
 * secrets of tools and vendors are never in it. Times are epoch milliseconds, JSON is text.
 */
export interface ApprovalTables {
	/** States of paused runs, from a pause until the run has ended; the next pause replaces the state. */
	run_states: {
		run_id: string;
		/** A `SerializedRun` of the engine. */
		state: string;
		/** A `ResumeContext`. */
		setting: string;
	};
	approvals: {
		run_id: string;
		/** Unique in its run. */
		id: string;
		node: string;
		tool: string;
		/** Exactly what is called. */
		arguments: string;
		asked_at: number;
		expires_at: number;
		/** Decision; null while the approval is open. */
		decision: "approve" | "deny" | "expire" | null;
		reason: string | null;
		/** `cl_…`; none for one that has expired. */
		decided_by: string | null;
		decided_at: number | null;
	};
}

export const approvalTablesSql = `
CREATE TABLE run_states (
	run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
	state TEXT NOT NULL,
	setting TEXT NOT NULL
) STRICT;
CREATE TABLE approvals (
	run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	id TEXT NOT NULL,
	node TEXT NOT NULL,
	tool TEXT NOT NULL,
	arguments TEXT NOT NULL,
	asked_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	decision TEXT,
	reason TEXT,
	decided_by TEXT,
	decided_at INTEGER,
	PRIMARY KEY (run_id, id)
) STRICT;
CREATE INDEX approvals_open ON approvals (expires_at) WHERE decision IS NULL;
`;
