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
export { DomainError, type DomainErrorOptions } from "./domain-error";
export { type ErrorBody, toErrorBody, toErrorHeaders } from "./error-body";
export {
	EVENT_STREAM_HEADERS,
	formatEvent,
	formatRecord,
	HEARTBEAT,
	HEARTBEAT_MS,
	type StreamEvent,
} from "./event-stream";
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
export {
	assertContentLength,
	assertJsonLimits,
	assertJsonType,
	bodyTooLarge,
	isJsonType,
	parseJson,
} from "./json-body";
export { listen } from "./listen";
export { locateJsonError } from "./locate-json-error";
export { isLoopbackAddress, isLoopbackHost, isLoopbackUrl } from "./loopback";
export {
	acceptsEvents,
	agentLoop,
	assertDepth,
	readAfter,
	readDepth,
	readIdempotencyKey,
	readRequestId,
	readWaitMs,
} from "./request-headers";
export { createStopSignal, untilStopped } from "./stop-signal";
export { MAX_LINGER_MS, prepareResponse } from "./unread-body";
