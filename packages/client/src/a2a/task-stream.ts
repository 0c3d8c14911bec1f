import { ApiError } from "../errors/api-errors";
import { StreamError, TimeoutError } from "../errors/errors";
import { exceedsMaxRetryAfter, isRetryable, retryDelay } from "../http/retry";
import type { CallOptions, WithRequestId } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import { sleep } from "../streams/follow-run";
import type { FollowedRun, ReadRun } from "../streams/run-source";
import { RunStream } from "../streams/run-stream";
import { A2aError, createInvalidResponseError } from "./a2a-error";
import { readA2aText } from "./a2a-text";
import { type AgentEndpoint, callAgent, streamFromAgent } from "./agent-calls";
import { createTooLargeError } from "./read-body";
import { readStreamResponse } from "./read-wire";
import type { FollowedTask, TaskEvent } from "./task-source";
import type { A2aSendRequest, A2aSendResponse, A2aStreamResponse } from "./wire";

/**
 * A task under way at an agent. Read its events once with `for await`: the connection may drop meanwhile, and is taken up
 * again by `SubscribeToTask`; the task that comes first then replaces what was told before. Leaving the loop detaches, and
 * the task goes on. The last event is the message, or the one by which the task ends or waits for someone.
 *
 * About a megabyte of events waits to be read. Beyond it, the agent waits; or, if the result is awaited, the events go
 * unread, and the reader finds the task as it is by then.
 */
export interface A2aStream extends AsyncIterable<A2aStreamResponse> {
	/** Id of the task, once it is known; a message has none. */
	readonly taskId: string | undefined;
	/** `x-request-id` of the first answer. */
	readonly requestId: string;
	/**
	 * The message, or the task with its artifacts joined: as it ended, whatever its state, or as it waits for someone
	 * (`TASK_STATE_INPUT_REQUIRED`, `TASK_STATE_AUTH_REQUIRED`). After `close` it connects again.
	 *
	 * @throws A2aError; ApiError; StreamError when it cannot be read any more; TimeoutError; the signal's reason after an
	 * abort.
	 */
	result(): Promise<WithRequestId<A2aSendResponse>>;
	/** The answer as text: see `readA2aText`. Fails as `result` does. */
	text(): Promise<string>;
	/** Asks the agent to end the task; reading goes on to the end. */
	cancel(): void;
	/** Stops reading; the task goes on. */
	close(): void;
}

/** Either of them. */
export type TaskStart =
	| { readonly request: A2aSendRequest; readonly taskId?: undefined }
	| { readonly taskId: string; readonly request?: undefined };

/** A task is followed as a run is: with its queue, its deadlines, its ways to be left and stopped. */
export function openTask(agent: AgentEndpoint, start: TaskStart, options: CallOptions = {}): A2aStream {
	const { client } = agent;
	const { signal, headers } = options;
	// The stream itself watches the signal and the total time: its requests come and go.
	const { timeoutMs: _, ...timeouts } = options.timeouts ?? {};
	const task: FollowedTask = { taskId: start.taskId };
	const callOptions: CallOptions = { headers, timeouts };
	let source: ReadRun | undefined;
	const run: FollowedRun = {
		client: {
			...client,
			// Its source tries again by itself.
			maxRetries: 0,
			// The one request that a stream makes besides: to stop the run. It looks at no answer.
			request: () =>
				callAgent(agent, {
					method: "CancelTask",
					params: { id: task.taskId },
					options: callOptions,
				}) as Promise<never>,
		},
		start: undefined,
		runPath: () => "",
		options: callOptions,
		async read(...args) {
			const { createTaskSource } = await import("./task-source");
			source ??= createTaskSource(agent, start, task, DEPENDENCIES);
			return source(...args);
		},
		run_id: start.taskId,
		run_token: undefined,
		seq: 0,
		missingSeqs: undefined,
		requestId: "",
		openedAt: 0,
		mayHaveStarted: false,
	};
	const stream = new RunStream(run, signal, mergeTimeouts(client.timeouts, options.timeouts));
	/** The source makes results of this kind. */
	const result = () => stream.result() as Promise<unknown> as Promise<WithRequestId<A2aSendResponse>>;
	return {
		get taskId() {
			return task.taskId;
		},
		get requestId() {
			return stream.requestId;
		},
		result,
		text: async () => readA2aText(await result(), client),
		cancel: stream.cancel,
		close: stream.close,
		[Symbol.asyncIterator]: () => readEvents(stream),
	};
}

function readEvents(stream: RunStream): AsyncIterator<A2aStreamResponse, undefined> {
	const events = stream[Symbol.asyncIterator]();
	return {
		async next() {
			const { done, value } = await events.next();
			if (done) return { done, value: undefined };
			// The source makes events of this kind.
			return { done: false, value: (value as unknown as TaskEvent).event };
		},
		async return() {
			stream.close();
			return { done: true, value: undefined };
		},
	};
}

/**
 * Sets the headers timeout to `eventTimeoutMs`, unless one is given: a response that comes only when the task has ended
 * takes longer.
 */
export const withTaskTimeout = (
	{ client }: AgentEndpoint,
	options: CallOptions | undefined,
): CallOptions => ({
	...options,
	timeouts: { headersTimeoutMs: client.timeouts.eventTimeoutMs, ...options?.timeouts },
});

const DEPENDENCIES = {
	A2aError,
	ApiError,
	StreamError,
	TimeoutError,
	callAgent,
	createInvalidResponseError,
	createTooLargeError,
	isRetryable,
	sleep,
	readStreamResponse,
	retryDelay,
	streamFromAgent,
	exceedsMaxRetryAfter,
	withTaskTimeout,
};
