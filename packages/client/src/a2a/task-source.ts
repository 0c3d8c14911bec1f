import { StreamError, type StreamErrorOptions } from "../errors/errors";
import type { CallOptions } from "../options/call-options";
import { isReconnectable, MAX_CONSECUTIVE_DISCONNECTS } from "../streams/reconnect";
import type { RunConnection } from "../streams/run-source";
import { A2aError, createInvalidResponseError } from "./a2a-error";
import {
	type AgentCall,
	type AgentEndpoint,
	callAgent,
	createTooLargeError,
	streamFromAgent,
	withTaskTimeout,
} from "./agent-calls";
import { readStreamResponse } from "./read-wire";
import { type A2aProgress, isInterrupted, isTerminal, reduceA2aProgress } from "./task-progress";
import type { A2aSendRequest, A2aSendResponse, A2aStreamResponse } from "./wire";

/** Task that a stream follows, over all its connections. */
export interface FollowedTask {
	/** Starts it; left out for a task that is there. */
	readonly request: A2aSendRequest | undefined;
	/** Options of every request. */
	readonly options: CallOptions;
	taskId: string | undefined;
	progress: A2aProgress;
	isSent: boolean;
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

/** Larger tasks are not left half-way to save memory: they would come anew each time. */
const MAX_RESUMABLE_CHARACTERS = 2 ** 19;

/**
 * Reads the events of a task over as many connections as it takes: the message is sent once; after a disconnect, the task
 * is subscribed to, or looked at again and again where the agent cannot do that.
 */
export const readTaskEvents = (
	agent: AgentEndpoint,
	task: FollowedTask,
	connection: RunConnection,
): Promise<void> => new TaskReading(agent, task, connection).read();

class TaskReading {
	readonly #agent: AgentEndpoint;
	readonly #task: FollowedTask;
	readonly #connection: RunConnection;
	readonly #options: CallOptions;
	/** The task as the last connection began with it. */
	#snapshot: string | undefined;
	#canSubscribe = true;
	#disconnects = 0;
	#hasEnded = false;

	constructor(agent: AgentEndpoint, task: FollowedTask, connection: RunConnection) {
		this.#agent = agent;
		this.#task = task;
		this.#connection = connection;
		this.#options = { ...task.options, signal: connection.signal };
	}

	async read(): Promise<void> {
		const { signal } = this.#connection;
		for (let emptyConnections = 0; !signal.aborted; ) {
			const { seq } = this.#connection.cursor();
			let disconnectError: unknown;
			try {
				await this.#connect();
			} catch (error) {
				disconnectError = error;
			}
			const { taskId, progress } = this.#task;
			// What ended in a connection before was not kept: it is read again.
			if (signal.aborted || this.#hasEnded) return;
			if (isInterrupted(progress.result) && disconnectError === undefined) return;
			if (taskId === undefined)
				throw (
					disconnectError ?? this.#toStreamError("The agent's answer ended before it named a task.", CUT_OFF)
				);
			if (this.#canSubscribe && isSubscribeUnsupported(disconnectError)) {
				this.#canSubscribe = false;
				continue;
			}
			this.#assertReconnectable(disconnectError);
			emptyConnections = this.#connection.cursor().seq > seq ? 1 : emptyConnections + 1;
			await this.#connection.backOff(emptyConnections, disconnectError);
		}
	}

	async #connect(): Promise<void> {
		const { taskId, progress } = this.#task;
		if (taskId === undefined) return this.#send();
		const call = { params: { id: taskId }, options: this.#options, retry: "never" } as const;
		const isResumable = progress.size < MAX_RESUMABLE_CHARACTERS;
		if (this.#canSubscribe)
			return streamFromAgent(
				this.#agent,
				{ ...call, method: "SubscribeToTask", isResumable },
				this.#handleResult,
			);
		const { result, requestId } = await callAgent(this.#agent, { ...call, method: "GetTask" });
		return this.#handleResult({ task: result }, 0, requestId);
	}

	async #send(): Promise<void> {
		const { request, isSent } = this.#task;
		// Never twice, whatever happens: it may be paid for.
		if (isSent || request === undefined) return;
		const { canStream } = await this.#agent.route(this.#options);
		const call: AgentCall = {
			method: canStream ? "SendStreamingMessage" : "SendMessage",
			params: request,
			options: canStream ? this.#options : withTaskTimeout(this.#agent, this.#options),
			retry: "if-not-started",
			onSend: () => {
				this.#task.isSent = true;
				this.#connection.emit({ type: "sent" });
			},
		};
		return streamFromAgent(this.#agent, { ...call, isResumable: true }, this.#handleResult);
	}

	readonly #handleResult = (
		result: unknown,
		length: number,
		requestId: string,
	): Promise<void> | undefined => {
		// What comes after the end would keep the connection for as long as it comes.
		if (this.#hasEnded || this.#connection.signal.aborted) return undefined;
		this.#disconnects = 0;
		const event = readStreamResponse(result);
		if (!this.#applyEvent(event, requestId)) return undefined;
		const { progress } = this.#task;
		this.#hasEnded = isTerminal(progress.result);
		const { maxSize } = this.#agent;
		if (progress.size > maxSize) throw createTooLargeError(maxSize, requestId);
		return this.#connection.emit({ type: "event", event: this.#toTaskEvent(event), length, requestId });
	};

	/** `false` for what is known: each connection begins with the task, and nothing may have happened since. */
	#applyEvent(event: A2aStreamResponse, requestId: string): boolean {
		const task = this.#task;
		const before = this.#snapshot;
		try {
			this.#snapshot = "task" in event ? JSON.stringify(event.task) : undefined;
			if (this.#snapshot !== undefined && this.#snapshot === before) return false;
			const id = idOf(event);
			if (task.taskId !== undefined && id !== task.taskId)
				throw createInvalidResponseError("is about another task");
			task.taskId = id;
			task.progress = reduceA2aProgress(task.progress, event);
			return true;
		} catch (error) {
			throw error instanceof RangeError ? createInvalidResponseError("is nested too deep", requestId) : error;
		}
	}

	#toTaskEvent(event: A2aStreamResponse): TaskEvent {
		const task = this.#task;
		const { result } = task.progress;
		const { seq } = this.#connection.cursor();
		// What goes on with a task is told first what the task waited for.
		const isKnownState = "task" in event && seq === 0 && task.request?.message.taskId !== undefined;
		const isPaused = isInterrupted(result) && !isKnownState;
		return {
			type: isTerminal(result) ? "run.completed" : isPaused ? "run.paused" : "a2a.event",
			seq: seq + 1,
			run_id: task.taskId ?? "message",
			event,
			// Not kept by what waits to be read: it is as large as all that came before.
			get result() {
				return task.progress.result;
			},
		};
	}

	/** Counts a disconnect. @throws its error where another connection does not help, or too many have brought nothing. */
	#assertReconnectable(cause: unknown): void {
		if (cause !== undefined && !isReconnectable(cause)) throw cause;
		this.#disconnects += 1;
		if (this.#disconnects > MAX_CONSECUTIVE_DISCONNECTS)
			throw this.#toStreamError("The connection to the agent was lost and could not be restored.", {
				...LOST,
				cause,
			});
	}

	#toStreamError(message: string, options: StreamErrorOptions): StreamError {
		return new StreamError(message, { ...options, requestId: this.#connection.cursor().requestId });
	}
}

const idOf = (event: A2aStreamResponse): string | undefined => {
	if ("message" in event) return undefined;
	if ("task" in event) return event.task.id;
	return "statusUpdate" in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
};

/** The task has ended, or the agent gives no streams. */
const isSubscribeUnsupported = (error: unknown): boolean =>
	A2aError.is(error) && /^(unsupported_operation|method_not_found)$/.test(error.code);

const CUT_OFF = {
	code: "stream_cut_off",
	hint: "The agent may have started: `listTasks` shows the task, if the agent supports that. The message is not sent again automatically.",
};

const LOST = {
	code: "stream_lost",
	hint: "The task may still be active: read it with `subscribe` or `getTask` when the agent can be reached.",
};
