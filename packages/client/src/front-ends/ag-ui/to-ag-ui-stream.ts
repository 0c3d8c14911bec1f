import { createEventResponse, type FrontEndEvent, streamChunks } from "../run-events";
import { type AgUiOptions, createAgUiEncoder } from "./ag-ui-encoder";
import type { AgUiEvent } from "./ag-ui-event";

/** Options of the stream of a run. */
export interface AgUiStreamOptions extends AgUiOptions {
	/** Converts an error with which reading the run failed to text for the page. Default: it says nothing of the error. */
	readonly onError?: ((error: unknown) => string) | undefined;
}

/** Headers of a stream of AG-UI events. */
export const AG_UI_HEADERS = {
	"content-type": "text/event-stream",
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
} as const;

/**
 * AG-UI events of a run: `stemma.agents.stream(…)`, `stemma.runs.stream(…)`, or a run of `createLocalAgent`. Cancelling
 * the stream stops reading; the run continues.
 *
 * @param run - its events from the first one on.
 */
export const toAgUiStream = (
	run: AsyncIterable<FrontEndEvent>,
	{ onError = () => "An error occurred.", ...options }: AgUiStreamOptions,
): ReadableStream<AgUiEvent> =>
	streamChunks(run, createAgUiEncoder(options), (error) => [
		{ type: "RUN_ERROR", code: "run_unreadable", message: onError(error) },
	]);

/** Response with the AG-UI events of a run, for routes that AG-UI clients call. */
export const toAgUiResponse = (run: AsyncIterable<FrontEndEvent>, options: AgUiStreamOptions): Response =>
	createEventResponse(toAgUiStream(run, options), AG_UI_HEADERS);
