import type { CallOptions, WithRequestId } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import type { RunSource } from "../streams/run-source";
import { RunStream } from "../streams/run-stream";
import { readA2aText } from "./a2a-text";
import { type AgentEndpoint, callAgent } from "./agent-calls";
import { NO_PROGRESS } from "./task-progress";
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

/** A task is followed as a run is: with its queue, its deadlines, its ways to be left and stopped. */
export function openTask(
	agent: AgentEndpoint,
	start: { readonly request?: A2aSendRequest; readonly taskId?: string },
	{ signal, headers, ...callOptions }: CallOptions = {},
): A2aStream {
	// The stream itself watches the signal and the total time: its requests come and go.
	const { timeoutMs: _, ...timeouts } = callOptions.timeouts ?? {};
	const options: CallOptions = { headers, timeouts };
	const task: FollowedTask = {
		request: start.request,
		options,
		taskId: start.taskId,
		progress: NO_PROGRESS,
		isSent: false,
	};
	const source: RunSource = {
		async read(connection) {
			const { readTaskEvents } = await import("./lazy-parts");
			return readTaskEvents(agent, task, connection);
		},
		cancel: () => callAgent(agent, { method: "CancelTask", params: { id: task.taskId }, options }),
	};
	const stream = new RunStream<TaskEvent, A2aSendResponse>(agent.client, source, {
		cursor: { run_id: start.taskId },
		// Its source tries again by itself.
		maxRetries: 0,
		signal,
		timeouts: mergeTimeouts(agent.client.timeouts, callOptions.timeouts),
	});
	return {
		get taskId() {
			return task.taskId;
		},
		get requestId() {
			return stream.requestId;
		},
		result: stream.result,
		text: async () => readA2aText(await stream.result(), agent.client),
		cancel: stream.cancel,
		close: stream.close,
		[Symbol.asyncIterator]: () => readEvents(stream),
	};
}

function readEvents(
	stream: RunStream<TaskEvent, A2aSendResponse>,
): AsyncIterator<A2aStreamResponse, undefined> {
	const events = stream[Symbol.asyncIterator]();
	return {
		async next() {
			const { done, value } = await events.next();
			return done ? { done, value } : { done: false, value: value.event };
		},
		async return() {
			stream.close();
			return { done: true, value: undefined };
		},
	};
}
