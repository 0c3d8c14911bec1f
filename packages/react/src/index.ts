export type { AskState } from "./ask-state";
export type { AskSource } from "./ask-store";
export type { RunHandle, RunState } from "./run-state";
export type { RejoinableRuns, RunAgents } from "./run-store";
export { type UseAskResult, useAsk } from "./use-ask";
export { type UseRunOptions, type UseRunResult, useRun } from "./use-run";
