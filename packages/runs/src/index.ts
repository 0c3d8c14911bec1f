export { ActiveRun } from "./lifecycle/active-run";
export { ActiveRuns, UNWATCHED_TIMEOUT_MS } from "./lifecycle/active-runs";
export {
	approvalNotFound,
	type DecisionProblem,
	findDecisionProblem,
	isDecided,
	isRepeated,
	type StoredApproval,
	toDecision,
} from "./lifecycle/decisions";
export {
	type DecideSteps,
	type LifecycleHost,
	type PausedRun,
	RunLifecycle,
} from "./lifecycle/run-lifecycle";
export { EngineRunSegment, type RunSegment } from "./lifecycle/run-segment";
export { StartOnce } from "./lifecycle/start-once";
export { createTerminalEvent, type RunEnd } from "./lifecycle/terminal-event";
export { EventLog, type LazyRecord } from "./store/event-log";
export {
	type EventRecord,
	isTerminal,
	parseEvent,
	type SourceEvent,
	toEventRecord,
	toWireTime,
} from "./store/event-record";
export { type MemoryRun, MemoryRunStore } from "./store/memory-run-store";
export { RunLog } from "./store/run-log";
export type {
	LoggedApproval,
	LoggedEvent,
	LoggedPause,
	LoggedReceipt,
	LoggedState,
	RunBatch,
	RunHead,
	RunStore,
	SavedState,
} from "./store/run-store";
export { RunsLostError } from "./store/runs-lost-error";
export { SweepTimer } from "./sweep-timer";
export {
	type StoredTask,
	type TaskFilter,
	type TaskListPage,
	type TaskRepository,
	toRunStatus,
} from "./tasks/task-repository";
export { type PollOptions, pollEvents } from "./watch/poll-events";
export type { RunChangeListener } from "./watch/run-feed";
export type { WatchOptions } from "./watch/watch-run";
