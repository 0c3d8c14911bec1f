import { backoffDelayMs, clock, createSemaphore } from "@stemma/core/internal";
import type { OutboundGate } from "../outbound/outbound-gate";
import {
	deliverNotifications,
	type NotificationSources,
	type PendingNotification,
	UndecryptableReceiverError,
} from "./deliver-notifications";
import {
	finishPushConfig,
	finishPushConfigsOf,
	listPendingPushConfigs,
	type PushConfigKey,
} from "./push-config-rows";
import { type DeliveryOutcome, sendWebhook } from "./send-webhook";

/** Tells receivers what happens in tasks: in order, and each thing at least once. */
export interface PushDeliveries {
	/** Goes on with what a configuration is owed; anew where it was changed. */
	deliver(key: PushConfigKey): void;
	/** A configuration is deleted. */
	cancel(key: PushConfigKey): void;
	/** A client is deleted: what it has set is told nothing more, and its secrets are forgotten. */
	cancelAllOf(clientId: string): Promise<void>;
	/** Goes on with all that is owed: after a start. */
	resume(): Promise<void>;
	/** Stops deliveries; undelivered notifications stay pending. */
	stop(): Promise<void>;
}

export interface PushDeliveriesOptions extends NotificationSources {
	/** The way out; see `OutboundGate`. */
	readonly outbound: OutboundGate["fetch"];
	readonly onError: (error: unknown) => void;
	readonly timings?: Partial<PushTimings> | undefined;
}

export interface PushTimings {
	/** Time within which a receiver must respond. Default 10 s. */
	readonly responseTimeoutMs: number;
	/** Wait before the first retry; doubles with each further one. Default 1 s. */
	readonly retryMs: number;
	/** Maximum wait between retries. Default 10 minutes. */
	readonly maxRetryMs: number;
	/** Age of an event after which its delivery is abandoned. Default 24 hours. */
	readonly maxAgeMs: number;
}

const DEFAULT_TIMINGS: PushTimings = {
	responseTimeoutMs: 10_000,
	retryMs: 1000,
	maxRetryMs: 10 * 60_000,
	maxAgeMs: 24 * 60 * 60_000,
};

/**
 * Maximum concurrent deliveries of a workspace, so that slow receivers cannot take all connections that the process may
 * open.
 */
const CONCURRENCY = 16;

/** A receiver did not take what it was told. */
class UndeliveredError extends Error {
	/** Time of the event that was not delivered. */
	readonly at: number;

	constructor(at: number, cause: unknown) {
		super("A receiver of push notifications did not accept a notification.", { cause });
		this.at = at;
	}
}

interface Delivery {
	readonly key: PushConfigKey;
	readonly abortController: AbortController;
	work: Promise<void>;
	retry: NodeJS.Timeout | undefined;
	failures: number;
}

export function createPushDeliveries(options: PushDeliveriesOptions): PushDeliveries {
	const { database, outbound, onError } = options;
	const timings = { ...DEFAULT_TIMINGS, ...options.timings };
	const semaphore = createSemaphore(CONCURRENCY);
	const deliveries = new Map<string, Delivery>();
	let isStopped = false;

	async function post(
		delivery: Delivery,
		{ receiver, notification, at }: PendingNotification,
	): Promise<DeliveryOutcome> {
		const { signal } = delivery.abortController;
		try {
			const outcome = await semaphore.run(async () => {
				signal.throwIfAborted();
				const deadlineSignal = AbortSignal.any([signal, AbortSignal.timeout(timings.responseTimeoutMs)]);
				return sendWebhook(outbound, receiver, notification, deadlineSignal);
			});
			delivery.failures = 0;
			return outcome;
		} catch (cause) {
			throw new UndeliveredError(at, cause);
		}
	}

	async function work(delivery: Delivery): Promise<void> {
		const { key, abortController } = delivery;
		try {
			await deliverNotifications(key, options, (pending) => post(delivery, pending), abortController.signal);
		} catch (error) {
			if (abortController.signal.aborted) return;
			return fail(delivery, error);
		}
		if (deliveries.get(toKey(key)) === delivery) deliveries.delete(toKey(key));
	}

	/**
	 * Schedules a retry of a failed delivery, or abandons it once its event is `maxAgeMs` old. A refusal by the
	 * receiver is reported as an error only then.
	 */
	async function fail(delivery: Delivery, error: unknown): Promise<void> {
		const isUndelivered = error instanceof UndeliveredError;
		if (isUndelivered && clock.now() - error.at >= timings.maxAgeMs) return abandon(delivery, error);
		if (!isUndelivered) onError(error);
		if (error instanceof UndecryptableReceiverError) return;
		delivery.failures += 1;
		const retryMs = backoffDelayMs(delivery.failures, timings.retryMs, timings.maxRetryMs);
		delivery.retry = setTimeout(() => start(delivery), retryMs);
		delivery.retry.unref();
	}

	async function abandon({ key }: Delivery, error: UndeliveredError): Promise<void> {
		deliveries.delete(toKey(key));
		onError(error);
		await finishPushConfig(database.write, key);
	}

	function start(delivery: Delivery): void {
		delivery.work = work(delivery).catch(onError);
	}

	function cancel(key: PushConfigKey): void {
		const delivery = deliveries.get(toKey(key));
		deliveries.delete(toKey(key));
		clearTimeout(delivery?.retry);
		delivery?.abortController.abort(new DOMException("No more notifications are sent.", "AbortError"));
	}

	function deliver(key: PushConfigKey): void {
		if (isStopped) return;
		cancel(key);
		const abortController = new AbortController();
		const delivery: Delivery = {
			key,
			abortController,
			work: Promise.resolve(),
			retry: undefined,
			failures: 0,
		};
		deliveries.set(toKey(key), delivery);
		start(delivery);
	}

	return {
		deliver,
		cancel,
		async cancelAllOf(clientId) {
			for (const key of await finishPushConfigsOf(database.write, clientId)) cancel(key);
		},
		async resume() {
			for (const key of await listPendingPushConfigs(database.read)) deliver(key);
		},
		async stop() {
			isStopped = true;
			const all = [...deliveries.values()];
			for (const { key } of all) cancel(key);
			await Promise.all(all.map((delivery) => delivery.work));
		},
	};
}

const toKey = ({ run_id, id }: PushConfigKey): string => JSON.stringify([run_id, id]);
