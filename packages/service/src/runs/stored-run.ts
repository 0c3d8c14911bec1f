import type { RunRecord } from "@stemma/client";
import type { Json, JsonObject, RunResult, RunStatus } from "@stemma/core";
import { parseEvent, type RunStore } from "@stemma/runs";

/** Run as it is stored; times are epoch milliseconds. */
export interface StoredRun {
	/** `run_…` */
	readonly id: string;
	readonly agent_id: string;
	readonly agent_slug: string;
	readonly agent_version: number;
	readonly status: "running" | RunStatus;
	/** True for a run that continues while nobody watches it. */
	readonly background: boolean;
	/** The client, client key or user that started it. */
	readonly started_by: string;
	readonly created_at: number;
	readonly ended_at: number | null;
	/** Sequence number of the last event; 0 for none. */
	readonly last_seq: number;
	/** The run that needs it, if any. */
	readonly within: string | null;
}

/** Input and context that a run is started with. */
export interface RunInputs {
	readonly input: Json;
	readonly context: JsonObject;
}

/** Reads the result in the last event of a run that has ended or paused. */
export async function readResult(
	store: Pick<RunStore, "readEvents">,
	{ id, last_seq }: Pick<StoredRun, "id" | "last_seq">,
): Promise<RunResult | undefined> {
	const [record] = await store.readEvents(id, last_seq - 1, 1);
	const last = record && parseEvent(record);
	return last !== undefined && "result" in last ? last.result : undefined;
}

/** Converts a run to what the API shows of it. */
export const toRunRecord = (run: StoredRun, result?: RunResult, inputs?: RunInputs): RunRecord => ({
	id: run.id,
	run_id: run.id,
	agent_id: run.agent_id,
	agent_slug: run.agent_slug,
	agent_version: run.agent_version,
	status: run.status,
	background: run.background,
	...(isUserId(run.started_by) && { user_id: run.started_by }),
	created_at: new Date(run.created_at).toISOString(),
	ended_at: run.ended_at === null ? null : new Date(run.ended_at).toISOString(),
	last_seq: run.last_seq,
	...inputs,
	...(result === undefined ? {} : { result }),
});

/** Checks whether the id of a caller is that of a person. */
const isUserId = (id: string): boolean => id.startsWith("usr_");
