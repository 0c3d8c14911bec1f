import type { WireRunEvent } from "@stemma/client";
import type { A2aPushConfig, A2aStreamResponse } from "@stemma/client/a2a";
import { followTask } from "../tasks/follow-task";
import { createTaskProgress } from "../tasks/task-progress";
import { isTerminal } from "../tasks/task-states";
import { createLanes } from "./lanes";
import { postNotification } from "./post-notification";
import { sleep } from "./sleep";
import { toNotification } from "./to-notification";
import { toPushRequest } from "./to-push-request";

export interface PushSenderOptions {
	/** The way out: whoever may set configurations chooses the addresses, so it must not reach what is inside. */
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	/** Of one notification. Default 5. */
	readonly maxAttempts?: number | undefined;
	/** Before the second attempt; twice as long before each further one. Default 1,000. */
	readonly retryDelayMs?: number | undefined;
	/** For one attempt. Default 10,000. */
	readonly timeoutMs?: number | undefined;
	/** Requests under way at once; further ones wait. Default 16. */
	readonly maxConcurrent?: number | undefined;
	/** Is told of attempts that failed, without the address or anything secret. */
	readonly onFailure?: ((failure: PushFailure) => void) | undefined;
}

export interface PushFailure {
	readonly taskId: string;
	readonly configId: string;
	/** From 1. */
	readonly attempt: number;
	/** Of the answer; undefined where there was none. */
	readonly status: number | undefined;
	/** No further attempt is made for this notification. */
	readonly isLast: boolean;
}

/** The news of one task for one receiver. */
export interface PushDelivery {
	readonly task: { readonly taskId: string; readonly contextId: string };
	/** With its secrets. */
	readonly config: A2aPushConfig;
	/** Of the run, from the first on, also those that were delivered: the answer is put together from them. */
	readonly events: AsyncIterable<readonly WireRunEvent[]>;
	/** The seq of the event up to which all was delivered before. Default 0. */
	readonly lastDelivered?: number | undefined;
	/**
	 * Called after what an event tells was delivered or given up; what it promises is waited for. With `false` the delivery ends:
	 * the configuration is no more.
	 */
	readonly onDelivered?: ((seq: number) => unknown) | undefined;
	/** Ends it where it is; what was not delivered is not reported as such. */
	readonly signal?: AbortSignal | undefined;
}

/** `done`: the task is over; `gone`: the receiver wants no more (404, 410); `stopped`: by the signal, `onDelivered`, or the end of the events. */
export type PushEnd = "done" | "gone" | "stopped";

/** Tells receivers how tasks go on: in order, each notification at least once, as long as it is tried. */
export interface PushSender {
	/** Follows a task to its end. Fails only with what the events or `onDelivered` fail with. */
	deliver(delivery: PushDelivery): Promise<PushEnd>;
}

const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 1_000;
const TIMEOUT_MS = 10_000;
const MAX_CONCURRENT = 16;

export function createPushSender(options: PushSenderOptions): PushSender {
	const { maxAttempts = MAX_ATTEMPTS, retryDelayMs = RETRY_DELAY_MS, timeoutMs = TIMEOUT_MS } = options;
	const inLane = createLanes(options.maxConcurrent ?? MAX_CONCURRENT);
	const hasStopped = ({ signal }: PushDelivery): boolean => signal?.aborted === true;

	/** Tries until it is taken; `handled` also where it is given up. */
	async function send(
		delivery: PushDelivery,
		notification: A2aStreamResponse,
	): Promise<"handled" | "gone" | "stopped"> {
		const { task, config, signal } = delivery;
		const request = toPushRequest(config, notification);
		for (let attempt = 1; ; attempt++) {
			if (hasStopped(delivery)) return "stopped";
			const status = await inLane(() =>
				postNotification(options.fetch, config.url, request, timeoutMs, signal),
			);
			if (status !== undefined && status >= 200 && status < 300) return "handled";
			if (hasStopped(delivery)) return "stopped";
			const isGone = status === 404 || status === 410;
			const isLast = isGone || attempt >= maxAttempts;
			options.onFailure?.({ taskId: task.taskId, configId: config.id, attempt, isLast, status });
			if (isLast) return isGone ? "gone" : "handled";
			await sleep(retryDelayMs * 2 ** (attempt - 1), signal);
		}
	}

	return {
		async deliver(delivery) {
			const { task, events, lastDelivered = 0, onDelivered } = delivery;
			// When it was made is not told to receivers.
			let progress = createTaskProgress(task, "");
			for await (const portion of events)
				for (const event of portion) {
					progress = followTask(progress, event).progress;
					const notification = event.seq > lastDelivered ? toNotification(event, progress) : undefined;
					if (notification !== undefined) {
						const outcome = await send(delivery, notification);
						if (outcome !== "handled") return outcome;
						if ((await onDelivered?.(event.seq)) === false) return "stopped";
					}
					if (isTerminal(progress.status.state)) return "done";
				}
			return "stopped";
		},
	};
}
