import type { ApiError } from "../api-errors";
import type { CallOptions } from "../call-options";
import type { StreamError, StreamErrorOptions, TimeoutError } from "../errors";
import type { pause } from "../follow-run";
import type { isWorthRetrying, retryDelay, wantsLongPause } from "../retry";
import type { ReadRun } from "../run-source";
import type { WireRunEvent } from "../types/run";
import type { A2aError, createInvalidResponseError } from "./a2a-error";
import type { Agent, AgentCall, callAgent, streamFromAgent } from "./agent-calls";
import type { createTooLargeError } from "./read-body";
import type { readStreamResponse } from "./read-wire";
import { isInterrupted, isTerminal, NO_PROGRESS, reduceA2aProgress } from "./task-progress";
import type { TaskStart, withPatience } from "./task-stream";
import type { A2aSendResponse, A2aStreamResponse } from "./wire";

/** What it needs of the rest: what it imports itself is needed nowhere else. */
export interface TaskTools {
	readonly A2aError: typeof A2aError;
	readonly ApiError: typeof ApiError;
	readonly StreamError: typeof StreamError;
	readonly TimeoutError: typeof TimeoutError;
	readonly callAgent: typeof callAgent;
	readonly createInvalidResponseError: typeof createInvalidResponseError;
	readonly createTooLargeError: typeof createTooLargeError;
	readonly isWorthRetrying: typeof isWorthRetrying;
	readonly pause: typeof pause;
	readonly readStreamResponse: typeof readStreamResponse;
	readonly retryDelay: typeof retryDelay;
	readonly streamFromAgent: typeof streamFromAgent;
	readonly wantsLongPause: typeof wantsLongPause;
	readonly withPatience: typeof withPatience;
}

/** What a stream has to know of its task. */
export interface FollowedTask {
	taskId: string | undefined;
}

/** An event of a task, as those of runs are. The last one has the result. */
export interface TaskEvent {
	readonly type: "a2a.event" | "run.completed" | "run.paused";
	readonly seq: number;
	readonly run_id: string;
	readonly event: A2aStreamResponse;
	/** As it is by now; looked at as the event comes. */
	readonly result: A2aSendResponse | undefined;
}

/** Connections in a row that brought nothing, after which a task is given up. */
const MOST_DROPS = 8;
/** Larger tasks are not left half-way to save memory: they would come anew each time. */
const MOST_LEFT = 2 ** 19;

/**
 * The events of a task over as many connections as it takes: the message is sent once; after a drop, the task is subscribed
 * to, or looked at again and again where the agent cannot do that.
 */
export function createTaskSource(
	agent: Agent,
	{ request }: TaskStart,
	task: FollowedTask,
	tools: TaskTools,
): ReadRun {
	let progress = NO_PROGRESS;
	let isSent = false;

	return async (run, signal, take) => {
		const options: CallOptions = { ...run.options, signal };
		let snapshot: string | undefined;
		let canSubscribe = true;
		let drops = 0;
		let isOver = false;

		function takeResult(result: unknown, length: number, requestId: string): Promise<void> | undefined {
			// What comes after the end would keep the connection for as long as it comes.
			if (isOver) return undefined;
			drops = 0;
			run.requestId ||= requestId;
			const event = tools.readStreamResponse(result);
			if (!takeIn(event, requestId)) return undefined;
			isOver = isTerminal(progress.result);
			if (progress.size > agent.maxSize) throw tools.createTooLargeError(agent.maxSize, requestId);
			return take(toRunEvent(event), length);
		}

		/** `false` for what is known: each connection begins with the task, and nothing may have happened since. */
		function takeIn(event: A2aStreamResponse, requestId: string): boolean {
			const before = snapshot;
			try {
				snapshot = "task" in event ? JSON.stringify(event.task) : undefined;
				if (snapshot !== undefined && snapshot === before) return false;
				note(event);
				progress = reduceA2aProgress(progress, event);
				return true;
			} catch (error) {
				throw error instanceof RangeError
					? tools.createInvalidResponseError("is nested too deep", requestId)
					: error;
			}
		}

		function note(event: A2aStreamResponse): void {
			const id = idOf(event);
			if (task.taskId !== undefined && id !== task.taskId)
				throw tools.createInvalidResponseError("is about another task");
			task.taskId = id;
		}

		function toRunEvent(event: A2aStreamResponse): WireRunEvent {
			const { result } = progress;
			// What goes on with a task is told first what the task waited for.
			const isOld = "task" in event && run.seq === 0 && request?.message.taskId !== undefined;
			const made: TaskEvent = {
				type: isTerminal(result)
					? "run.completed"
					: isInterrupted(result) && !isOld
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
			return made as unknown as WireRunEvent;
		}

		async function connect(): Promise<void> {
			const { taskId } = task;
			if (taskId === undefined) return send();
			const call = { params: { id: taskId }, options } as const;
			const mayBeLeft = progress.size < MOST_LEFT;
			if (canSubscribe)
				return tools.streamFromAgent(
					agent,
					{ ...call, method: "SubscribeToTask", retry: "never", mayBeLeft },
					takeResult,
				);
			const { result, requestId } = await tools.callAgent(agent, {
				...call,
				method: "GetTask",
				retry: "never",
			});
			return takeResult({ task: result }, 0, requestId);
		}

		async function send(): Promise<void> {
			// Never twice, whatever happens: it may be paid for.
			if (isSent || request === undefined) return;
			const { canStream } = await agent.route(options);
			const call: AgentCall = {
				method: canStream ? "SendStreamingMessage" : "SendMessage",
				params: request,
				options: canStream ? options : tools.withPatience(agent, options),
				retry: "refused",
				onSend() {
					isSent = run.mayHaveBegun = true;
				},
			};
			return tools.streamFromAgent(agent, { ...call, mayBeLeft: true }, takeResult);
		}

		const toStreamError = (message: string, how: StreamErrorOptions): StreamError =>
			new tools.StreamError(message, { ...how, requestId: run.requestId });

		for (let quiet = 0; !signal.aborted; ) {
			const { seq } = run;
			let drop: unknown;
			try {
				await connect();
			} catch (error) {
				drop = error;
			}
			const { result } = progress;
			// What ended in a connection before was not kept: it is read again.
			if (signal.aborted || isOver || (isInterrupted(result) && drop === undefined)) return;
			if (task.taskId === undefined)
				throw drop ?? toStreamError("The agent's answer ended before it named a task.", CUT_OFF);
			if (canSubscribe && isRefusal(drop, tools)) {
				canSubscribe = false;
				continue;
			}
			if (drop !== undefined && !isDrop(drop, tools)) throw drop;
			drops += 1;
			if (drops > MOST_DROPS)
				throw toStreamError("The connection to the agent was lost and could not be had again.", {
					...LOST,
					cause: drop,
				});
			quiet = run.seq > seq ? 1 : quiet + 1;
			await tools.pause(tools.retryDelay(quiet, agent.client.retryDelayMs, drop), signal);
		}
	};
}

const idOf = (event: A2aStreamResponse): string | undefined => {
	if ("message" in event) return undefined;
	if ("task" in event) return event.task.id;
	return "statusUpdate" in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
};

/** The task has ended, or the agent gives no streams. */
const isRefusal = (error: unknown, { A2aError }: TaskTools): boolean =>
	A2aError.is(error) && /^(unsupported_operation|method_not_found)$/.test(error.code);

/** What may be over in a moment. */
const isDrop = (
	error: unknown,
	{ ApiError, TimeoutError, isWorthRetrying, wantsLongPause }: TaskTools,
): boolean =>
	isWorthRetrying(error) ||
	TimeoutError.is(error) ||
	(ApiError.is(error) && error.status === 500 && !wantsLongPause(error));

const CUT_OFF = {
	code: "stream_cut_off",
	hint: "The agent may have begun: `listTasks` tells, where it offers that. The message is not sent again by itself.",
};

const LOST = {
	code: "stream_lost",
	hint: "The task itself may go on: read it with `subscribe` or `getTask`, once the agent can be reached.",
};
