export { type BadRequest, MAX_HEADER_BYTES } from "./bad-request";
export {
	type ConnectionTimeouts,
	createHttpServer,
	type HttpServerOptions,
	MAX_BACKLOG,
	MAX_IDLE_MS,
	MAX_PIPELINED_REQUESTS,
	MAX_STALLED_MS,
} from "./create-http-server";
export {
	createFairQueue,
	type FairQueue,
	type FairQueueOptions,
	type RefusedWork,
} from "./fairness/fair-queue";
export {
	createMainThreadQueue,
	MAX_SLOWED_WAIT_MS,
	type MainThreadQueue,
	type MainThreadQueueOptions,
} from "./fairness/main-thread-queue";
export { createStopSignal, untilStopped } from "./stop-signal";
export { MAX_LINGER_MS, prepareResponse } from "./unread-body";
