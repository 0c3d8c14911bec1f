import { createEventResponse, type FrontEndEvent, streamChunks } from "../run-events";
import type { UIMessageChunk } from "./ui-message-chunk";
import { createUIMessageEncoder, type UIMessageOptions } from "./ui-message-encoder";

/** Options of the stream of a run. */
export interface UIMessageStreamOptions extends UIMessageOptions {
	/** Converts an error with which reading the run failed to text for the page. Default: it says nothing of the error. */
	readonly onError?: ((error: unknown) => string) | undefined;
}

/** Headers of a UI message stream, version 1. */
export const UI_MESSAGE_STREAM_HEADERS = {
	"content-type": "text/event-stream",
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
	"x-vercel-ai-ui-message-stream": "v1",
} as const;

/** Text behind the last chunk of a UI message stream as server-sent events. */
export const UI_MESSAGE_STREAM_END = "data: [DONE]\n\n";

/**
 * UI message stream of the AI SDK of a run: `stemma.agents.stream(…)`, `stemma.runs.stream(…)`, or a run of
 * `createLocalAgent`. Cancelling it stops reading; the run goes on.
 *
 * @param run - its events from the first one on.
 */
export const toUIMessageStream = (
	run: AsyncIterable<FrontEndEvent>,
	{ onError = () => "An error occurred.", ...options }: UIMessageStreamOptions = {},
): ReadableStream<UIMessageChunk> =>
	streamChunks(run, createUIMessageEncoder(options), (error) => [
		{ type: "error", errorText: onError(error) },
	]);

/** Response with the UI message stream of a run, for routes that `useChat` calls. */
export const toUIMessageStreamResponse = (
	run: AsyncIterable<FrontEndEvent>,
	options?: UIMessageStreamOptions,
): Response =>
	createEventResponse(toUIMessageStream(run, options), UI_MESSAGE_STREAM_HEADERS, UI_MESSAGE_STREAM_END);
