import type { PushConfigRepository, StoredPushConfig } from "../../a2a/repositories/push-config-repository";
import type { WorkspaceTask, WorkspaceTaskRepository } from "../../a2a/repositories/task-repository";
import type { AdmitRun, RunClaim } from "../../runs/repositories/run-repository";
import { toNewRun } from "./run-fixture";

/** An empty store of tasks that a contract is tried on. */
export interface OpenedTasks {
	readonly tasks: WorkspaceTaskRepository;
	readonly pushConfigs: PushConfigRepository;
	/** Deletes a run with all that belongs to it. */
	deleteRun(id: string): Promise<void>;
}

/** Task of a run that has completed at 7. */
export const toTask = (run_id: string, task: Partial<WorkspaceTask> = {}): WorkspaceTask => ({
	...{ run_id, agent_id: "ag_1", started_by: "cl_1", context_id: "ctx_1", message_key: `m-${run_id}` },
	message: { messageId: `m-${run_id}`, role: "ROLE_USER", parts: [{ text: "Hello?" }] },
	...{ status: "completed", last_seq: 3, created_at: 5, ended_at: 7, status_at: 7 },
	...task,
});

export const toPushConfig = (run_id: string, config: Partial<StoredPushConfig> = {}): StoredPushConfig => ({
	...{ run_id, id: "push", url: "https://receiver.example/news", scheme: "Bearer", secrets: "sealed" },
	...{ set_by: "cl_1", visibility: "trace", delivered_seq: 0, is_finished: false, created_at: 1 },
	...config,
});

/** Adds a run with its task, and with a push configuration where one is given. */
export function addTask(
	{ tasks }: Pick<OpenedTasks, "tasks">,
	{ run_id, context_id, message_key, message, status_at, ...run }: WorkspaceTask,
	pushConfig?: StoredPushConfig,
	admit: AdmitRun = () => undefined,
): Promise<RunClaim> {
	const task = { context_id, message_key, message, status_at };
	return tasks.insert(toNewRun(run_id, run), admit, task, pushConfig);
}
