export type { AskState } from "./ask-state";
export type { AskSource } from "./ask-store";
export type { RunHandle, RunState } from "./run-state";
export type { RejoinableRuns, RunAgents } from "./run-store";
export type { ThreadActions } from "./thread/thread-actions";
export type { ThreadService, ThreadTarget } from "./thread/thread-service";
export type {
	AnswerHandle,
	ChatError,
	ChatMessage,
	ChatMessageStatus,
	ThreadHandle,
} from "./thread/thread-state";
export {
	type UseThreadOptions,
	type UseThreadResult,
	useThread,
	type VisibleMessage,
} from "./thread/use-thread";
export { type UseAskResult, useAsk } from "./use-ask";
export { type UseRunOptions, type UseRunResult, useRun } from "./use-run";
