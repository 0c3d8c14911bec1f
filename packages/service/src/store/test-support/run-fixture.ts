import type { NewRun } from "../../runs/repositories/run-repository";

/** Run of the agent `ag_1` that has just started, at 1. */
export const toNewRun = (id: string, parts: Partial<NewRun> = {}): NewRun => ({
	id,
	agent_id: "ag_1",
	agent_slug: "desk",
	agent_version: 1,
	status: "running",
	background: true,
	started_by: "cl_1",
	created_at: 1,
	ended_at: null,
	last_seq: 0,
	within: null,
	input: "Hello?",
	context: {},
	...parts,
});
