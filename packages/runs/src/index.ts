export { type ActiveRun, ActiveRuns, type CloseOptions, UNWATCHED_TIMEOUT_MS } from "./active-runs";
export { sleep, startBackgroundTimer } from "./background-timer";
export { EventLog, type LazyRecord } from "./event-log";
export {
	type EventRecord,
	isTerminal,
	parseEvent,
	type SourceEvent,
	toEventRecord,
	toWireTime,
} from "./event-record";
export { type MemoryRun, MemoryRunStore, type MemoryRunStoreOptions } from "./memory-run-store";
export { type PollOptions, pollEvents } from "./poll-events";
export { type RunChangeListener, RunFeed } from "./run-feed";
export { createRunLog, type RunLog, type RunLogOptions } from "./run-log";
export type {
	LoggedApproval,
	LoggedEvent,
	LoggedPause,
	LoggedReceipt,
	RunBatch,
	RunHead,
	RunStore,
	SavedState,
} from "./run-store";
export { RunWatcher } from "./run-watcher";
export { StartOnce } from "./start-once";
export { SweepTimer } from "./sweep-timer";
export { createTerminalEvent, type RunEnd, type UnfinishedRun } from "./terminal-event";
export type { WatchOptions } from "./watch-run";
