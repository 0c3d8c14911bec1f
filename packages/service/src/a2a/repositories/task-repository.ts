import type { A2aMessage } from "@stemma/client/a2a";
import type { StoredTask, TaskRepository } from "@stemma/runs";
import type { AdmitRun, NewRun, RunClaim } from "../../runs/repositories/run-repository";
import type { StoredPushConfig } from "./push-config-repository";

/** Run of a workspace that is a task of A2A; times are epoch milliseconds. */
export interface WorkspaceTask extends StoredTask {
	readonly agent_id: string;
	/** Client or client key that sent the message. */
	readonly started_by: string;
	/** Message that started the run. */
	readonly message: A2aMessage;
	readonly created_at: number;
	/** `null` until the run ends. */
	readonly ended_at: number | null;
}

/** Tasks that a caller reaches at one agent. */
export interface TaskScope {
	readonly agentId: string;
	/** The caller whose messages and conversations are found. */
	readonly startedBy: string;
	/** True lists the tasks alone that the caller has started. Default false. */
	readonly ownOnly?: boolean;
}

/** Task to add with its run, which has all else of it. */
export type NewTask = Pick<WorkspaceTask, "context_id" | "message_key" | "message" | "status_at">;

/** Tasks of one workspace; each is added and deleted with its run. */
export interface WorkspaceTaskRepository {
	/**
	 * Adds a run with its task, and with the push configuration that came with its message, in one transaction, unless the
	 * same caller has started a run of the agent with the message before: then nothing is added.
	 */
	insert(
		run: NewRun,
		admit: AdmitRun,
		task: NewTask,
		pushConfig?: StoredPushConfig | undefined,
	): Promise<RunClaim>;
	/** Finds a task of any agent. */
	find(runId: string): Promise<WorkspaceTask | undefined>;
	/** Tasks of one agent, in the same store. */
	forAgent(scope: TaskScope): TaskRepository<WorkspaceTask>;
}
