import { backoffDelayMs, clock, createSemaphore } from "@stemma/core/internal";
import type { OutboundGate } from "../outbound/outbound-gate";
import {
	deliverNotifications,
	type NotificationSources,
	type PendingNotification,
	UndecryptableReceiverError,
} from "./deliver-notifications";
import type { PushConfigKey } from "./repositories/push-config-repository";
import { type DeliveryOutcome, sendWebhook } from "./send-webhook";

/** Options of the deliveries of one workspace. */
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

/** Deliveries of push notifications to their receivers: in order, and each at least once. */
export class PushDeliveries {
	readonly #options: PushDeliveriesOptions;
	readonly #timings: PushTimings;
	readonly #semaphore = createSemaphore(CONCURRENCY);
	readonly #deliveries = new Map<string, Delivery>();
	#isStopped = false;

	constructor(options: PushDeliveriesOptions) {
		this.#options = options;
		this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
	}

	/** Delivers what a configuration is owed from now on; from the start where it was changed. */
	deliver(key: PushConfigKey): void {
		if (this.#isStopped) return;
		this.cancel(key);
		const abortController = new AbortController();
		const work = Promise.resolve();
		const delivery: Delivery = { key, abortController, work, retry: undefined, failures: 0 };
		this.#deliveries.set(toKey(key), delivery);
		this.#start(delivery);
	}

	/** Stops the delivery to a configuration that is deleted. */
	cancel(key: PushConfigKey): void {
		const delivery = this.#deliveries.get(toKey(key));
		this.#deliveries.delete(toKey(key));
		clearTimeout(delivery?.retry);
		delivery?.abortController.abort(new DOMException("No more notifications are sent.", "AbortError"));
	}

	/** Ends all configurations of a client that is deleted, and deletes their secrets. */
	async cancelAllOf(clientId: string): Promise<void> {
		for (const key of await this.#options.pushConfigs.finishAllOf(clientId)) this.cancel(key);
	}

	/** Delivers all that is owed, after a start. */
	async resume(): Promise<void> {
		for (const key of await this.#options.pushConfigs.listPending()) this.deliver(key);
	}

	/** Stops deliveries; undelivered notifications stay pending. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		const all = [...this.#deliveries.values()];
		for (const { key } of all) this.cancel(key);
		await Promise.all(all.map((delivery) => delivery.work));
	}

	#start(delivery: Delivery): void {
		delivery.work = this.#work(delivery).catch(this.#options.onError);
	}

	async #work(delivery: Delivery): Promise<void> {
		const { key, abortController } = delivery;
		const { signal } = abortController;
		try {
			await deliverNotifications(key, this.#options, (pending) => this.#post(delivery, pending), signal);
		} catch (error) {
			if (signal.aborted) return;
			return this.#fail(delivery, error);
		}
		if (this.#deliveries.get(toKey(key)) === delivery) this.#deliveries.delete(toKey(key));
	}

	async #post(
		delivery: Delivery,
		{ receiver, notification, at }: PendingNotification,
	): Promise<DeliveryOutcome> {
		const { signal } = delivery.abortController;
		const { responseTimeoutMs } = this.#timings;
		try {
			const outcome = await this.#semaphore.run(async () => {
				signal.throwIfAborted();
				const deadlineSignal = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]);
				return sendWebhook(this.#options.outbound, receiver, notification, deadlineSignal);
			});
			delivery.failures = 0;
			return outcome;
		} catch (cause) {
			throw new UndeliveredError(at, cause);
		}
	}

	/**
	 * Schedules a retry of a failed delivery, or abandons it once its event is `maxAgeMs` old. A refusal by the
	 * receiver is reported as an error only then.
	 */
	async #fail(delivery: Delivery, error: unknown): Promise<void> {
		const { maxAgeMs, retryMs, maxRetryMs } = this.#timings;
		const isUndelivered = error instanceof UndeliveredError;
		if (isUndelivered && clock.now() - error.at >= maxAgeMs) return this.#abandon(delivery, error);
		if (!isUndelivered) this.#options.onError(error);
		if (error instanceof UndecryptableReceiverError) return;
		delivery.failures += 1;
		const delayMs = backoffDelayMs(delivery.failures, retryMs, maxRetryMs);
		delivery.retry = setTimeout(() => this.#start(delivery), delayMs);
		delivery.retry.unref();
	}

	async #abandon({ key }: Delivery, error: UndeliveredError): Promise<void> {
		this.#deliveries.delete(toKey(key));
		this.#options.onError(error);
		await this.#options.pushConfigs.finish(key);
	}
}

const toKey = ({ run_id, id }: PushConfigKey): string => JSON.stringify([run_id, id]);
