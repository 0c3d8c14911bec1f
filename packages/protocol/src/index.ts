export type { BadRequest } from "./bad-request";
export { BodyCollector, createBodyMeter } from "./body-collector";
export {
	type ConnectionTimeouts,
	createHttpServer,
	MAX_IDLE_MS,
	MAX_STALLED_MS,
} from "./create-http-server";
export { DomainError, type DomainErrorOptions } from "./domain-error";
export { type ErrorBody, toErrorBody, toErrorHeaders } from "./error-body";
export { EventSink, type EventSource } from "./events/event-sink";
export { EVENT_STREAM_HEADERS, formatEvent, formatRecord, type StreamEvent } from "./events/event-stream";
export { NodeEventSink } from "./events/node-event-sink";
export { WebEventSink } from "./events/web-event-sink";
export {
	createFairQueue,
	type FairQueue,
} from "./fairness/fair-queue";
export {
	createMainThreadQueue,
	type MainThreadQueue,
} from "./fairness/main-thread-queue";
export {
	assertContentLength,
	assertJsonLimits,
	assertJsonType,
	bodyTooLarge,
	parseJson,
} from "./json-body";
export { listen } from "./listen";
export { locateJsonError } from "./locate-json-error";
export { isLoopbackAddress, isLoopbackHost, isLoopbackUrl } from "./loopback";
export { onAbort } from "./on-abort";
export {
	createTrustedProxies,
	isTrustedProxyEntry,
	type TrustedProxies,
} from "./proxies/trusted-proxies";
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
export { createServedDocument, listsEtag, type ServedDocument } from "./served-document";
export { limitStartupMemory } from "./startup-memory";
export { createStopSignal, untilStopped } from "./stop-signal";
export { MAX_LINGER_MS, prepareResponse } from "./unread-body";
export { limitYoungSpace } from "./young-space";
