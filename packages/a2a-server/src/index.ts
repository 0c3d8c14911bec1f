export { A2aServerError, type A2aServerErrorOptions } from "./a2a-server-error";
export { APPROVALS_EXTENSION } from "./approvals-extension";
export { CARD_PATH } from "./card-path";
export { type A2aServer, type A2aServerOptions, createA2aServer } from "./create-a2a-server";
export { type AgentCardOptions, BEARER_SECURITY, createAgentCard } from "./create-agent-card";
export { toCardResponse } from "./http/card-response";
export { toNotification } from "./push/to-notification";
export { toPushRequest } from "./push/to-push-request";
export type { ServedAgent } from "./served-agent";
export type {
	PushConfigStore,
	TaskDecision,
	TaskPage,
	TaskQuery,
	TaskRecord,
	TaskStart,
	TaskStore,
} from "./task-store";
export { reduceTask, type TaskStep } from "./tasks/reduce-task";
export { createTaskProgress, type TaskProgress } from "./tasks/task-progress";
export { isInterrupted, isTerminal } from "./tasks/task-states";
export { type TaskView, toTask } from "./tasks/to-task";
