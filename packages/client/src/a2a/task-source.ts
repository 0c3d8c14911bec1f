import type { ApiError } from "../errors/api-errors";
import type { StreamError, StreamErrorOptions, TimeoutError } from "../errors/errors";
import type { exceedsMaxRetryAfter, isRetryable, retryDelay } from "../http/retry";
import type { CallOptions } from "../options/call-options";
import type { sleep } from "../streams/follow-run";
import type { ReadRun } from "../streams/run-source";
import type { WireRunEvent } from "../types/run";
import type { A2aError, createInvalidResponseError } from "./a2a-error";
import type { AgentCall, AgentEndpoint, callAgent, streamFromAgent } from "./agent-calls";
import type { createTooLargeError } from "./read-body";
import type { readStreamResponse } from "./read-wire";
import { isInterrupted, isTerminal, NO_PROGRESS, reduceA2aProgress } from "./task-progress";
import type { TaskStart, withTaskTimeout } from "./task-stream";
import type { A2aSendResponse, A2aStreamResponse } from "./wire";

/** Dependencies that the caller passes in. This module itself imports only what no other module needs. */
export interface TaskSourceDependencies {
	readonly A2aError: typeof A2aError;
	readonly ApiError: typeof ApiError;
	readonly StreamError: typeof StreamError;
	readonly TimeoutError: typeof TimeoutError;
	readonly callAgent: typeof callAgent;
	readonly createInvalidResponseError: typeof createInvalidResponseError;
	readonly createTooLargeError: typeof createTooLargeError;
	readonly isRetryable: typeof isRetryable;
	readonly sleep: typeof sleep;
	readonly readStreamResponse: typeof readStreamResponse;
	readonly retryDelay: typeof retryDelay;
	readonly streamFromAgent: typeof streamFromAgent;
	readonly exceedsMaxRetryAfter: typeof exceedsMaxRetryAfter;
	readonly withTaskTimeout: typeof withTaskTimeout;
}

/** Task that a stream follows. */
export interface FollowedTask {
	taskId: string | undefined;
}

/** An event of a task, as those of runs are. The last one has the result. */
export interface TaskEvent {
	readonly type: "a2a.event" | "run.completed" | "run.paused";
	readonly seq: number;
	readonly run_id: string;
	readonly event: A2aStreamResponse;
	/** State of the task now; read it when the event arrives. */
	readonly result: A2aSendResponse | undefined;
}

/** Connections in a row that brought nothing, after which a task is given up. */
const MAX_CONSECUTIVE_DISCONNECTS = 8;
/** Larger tasks are not left half-way to save memory: they would come anew each time. */
const MAX_RESUMABLE_CHARACTERS = 2 ** 19;

/**
 * The events of a task over as many connections as it takes: the message is sent once; after a disconnect, the task is
 * subscribed to, or looked at again and again where the agent cannot do that.
 */
export function createTaskSource(
	agent: AgentEndpoint,
	{ request }: TaskStart,
	task: FollowedTask,
	deps: TaskSourceDependencies,
): ReadRun {
	let progress = NO_PROGRESS;
	let isSent = false;

	return async (run, signal, onEvent) => {
		const options: CallOptions = { ...run.options, signal };
		let snapshot: string | undefined;
		let canSubscribe = true;
		let disconnects = 0;
		let hasEnded = false;

		function handleResult(result: unknown, length: number, requestId: string): Promise<void> | undefined {
			// What comes after the end would keep the connection for as long as it comes.
			if (hasEnded) return undefined;
			disconnects = 0;
			run.requestId ||= requestId;
			const event = deps.readStreamResponse(result);
			if (!applyEvent(event, requestId)) return undefined;
			hasEnded = isTerminal(progress.result);
			if (progress.size > agent.maxSize) throw deps.createTooLargeError(agent.maxSize, requestId);
			return onEvent(toRunEvent(event), length);
		}

		/** `false` for what is known: each connection begins with the task, and nothing may have happened since. */
		function applyEvent(event: A2aStreamResponse, requestId: string): boolean {
			const before = snapshot;
			try {
				snapshot = "task" in event ? JSON.stringify(event.task) : undefined;
				if (snapshot !== undefined && snapshot === before) return false;
				recordTaskId(event);
				progress = reduceA2aProgress(progress, event);
				return true;
			} catch (error) {
				throw error instanceof RangeError
					? deps.createInvalidResponseError("is nested too deep", requestId)
					: error;
			}
		}

		function recordTaskId(event: A2aStreamResponse): void {
			const id = idOf(event);
			if (task.taskId !== undefined && id !== task.taskId)
				throw deps.createInvalidResponseError("is about another task");
			task.taskId = id;
		}

		function toRunEvent(event: A2aStreamResponse): WireRunEvent {
			const { result } = progress;
			// What goes on with a task is told first what the task waited for.
			const isKnownState = "task" in event && run.seq === 0 && request?.message.taskId !== undefined;
			const taskEvent: TaskEvent = {
				type: isTerminal(result)
					? "run.completed"
					: isInterrupted(result) && !isKnownState
						? "run.paused"
						: "a2a.event",
				seq: run.seq + 1,
				run_id: task.taskId ?? "message",
				event,
				// Not kept by what waits to be read: it is as large as all that came before.
				get result() {
					return progress.result;
				},
			};
			// Whoever follows a run looks at these fields alone.
			return taskEvent as unknown as WireRunEvent;
		}

		async function connect(): Promise<void> {
			const { taskId } = task;
			if (taskId === undefined) return send();
			const call = { params: { id: taskId }, options } as const;
			const isResumable = progress.size < MAX_RESUMABLE_CHARACTERS;
			if (canSubscribe)
				return deps.streamFromAgent(
					agent,
					{ ...call, method: "SubscribeToTask", retry: "never", isResumable },
					handleResult,
				);
			const { result, requestId } = await deps.callAgent(agent, {
				...call,
				method: "GetTask",
				retry: "never",
			});
			return handleResult({ task: result }, 0, requestId);
		}

		async function send(): Promise<void> {
			// Never twice, whatever happens: it may be paid for.
			if (isSent || request === undefined) return;
			const { canStream } = await agent.route(options);
			const call: AgentCall = {
				method: canStream ? "SendStreamingMessage" : "SendMessage",
				params: request,
				options: canStream ? options : deps.withTaskTimeout(agent, options),
				retry: "if-not-started",
				onSend() {
					isSent = run.mayHaveStarted = true;
				},
			};
			return deps.streamFromAgent(agent, { ...call, isResumable: true }, handleResult);
		}

		const toStreamError = (message: string, errorOptions: StreamErrorOptions): StreamError =>
			new deps.StreamError(message, { ...errorOptions, requestId: run.requestId });

		for (let emptyConnections = 0; !signal.aborted; ) {
			const { seq } = run;
			let disconnectError: unknown;
			try {
				await connect();
			} catch (error) {
				disconnectError = error;
			}
			const { result } = progress;
			// What ended in a connection before was not kept: it is read again.
			if (signal.aborted || hasEnded || (isInterrupted(result) && disconnectError === undefined)) return;
			if (task.taskId === undefined)
				throw disconnectError ?? toStreamError("The agent's answer ended before it named a task.", CUT_OFF);
			if (canSubscribe && isSubscribeUnsupported(disconnectError, deps)) {
				canSubscribe = false;
				continue;
			}
			if (disconnectError !== undefined && !isReconnectable(disconnectError, deps)) throw disconnectError;
			disconnects += 1;
			if (disconnects > MAX_CONSECUTIVE_DISCONNECTS)
				throw toStreamError("The connection to the agent was lost and could not be had again.", {
					...LOST,
					cause: disconnectError,
				});
			emptyConnections = run.seq > seq ? 1 : emptyConnections + 1;
			await deps.sleep(deps.retryDelay(emptyConnections, agent.client.retryDelayMs, disconnectError), signal);
		}
	};
}

const idOf = (event: A2aStreamResponse): string | undefined => {
	if ("message" in event) return undefined;
	if ("task" in event) return event.task.id;
	return "statusUpdate" in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
};

/** The task has ended, or the agent gives no streams. */
const isSubscribeUnsupported = (error: unknown, { A2aError }: TaskSourceDependencies): boolean =>
	A2aError.is(error) && /^(unsupported_operation|method_not_found)$/.test(error.code);

/** Checks whether an error may pass in a moment. */
const isReconnectable = (
	error: unknown,
	{ ApiError, TimeoutError, isRetryable, exceedsMaxRetryAfter }: TaskSourceDependencies,
): boolean =>
	isRetryable(error) ||
	TimeoutError.is(error) ||
	(ApiError.is(error) && error.status === 500 && !exceedsMaxRetryAfter(error));

const CUT_OFF = {
	code: "stream_cut_off",
	hint: "The agent may have begun: `listTasks` tells, where it offers that. The message is not sent again by itself.",
};

const LOST = {
	code: "stream_lost",
	hint: "The task itself may go on: read it with `subscribe` or `getTask`, once the agent can be reached.",
};
