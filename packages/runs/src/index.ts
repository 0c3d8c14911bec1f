export { type EventRecord, isTerminal, parseEvent, toEventRecord, toWireTime } from "./event-record";
export { createRunFeed, type RunFeed, type RunWatcher } from "./run-feed";
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
export { createTerminalEvent, type RunEnd, type UnfinishedRun } from "./terminal-event";
export { type WatchedRun, type WatchOptions, waitUntilSettled, watchRun } from "./watch-run";
