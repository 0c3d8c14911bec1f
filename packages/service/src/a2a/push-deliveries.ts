import { backoffDelayMs, clock, createSemaphore } from "@stemma/core/internal";
import type { OutboundGate } from "../outbound/outbound-gate";
import { ownClaims, type Work, type WorkChange, type WorkClaims } from "../store/claims/work-claims";
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
	/** Claims of the deliveries: one instance delivers to each receiver. Default: those of a store of one process. */
	readonly claims?: WorkClaims | undefined;
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

/** Another instance delivers by now, as the lease of this one was over for a while. */
class LostDeliveryError extends Error {}

interface Delivery {
	readonly key: PushConfigKey;
	readonly abortController: AbortController;
	work: Promise<void>;
	retry: NodeJS.Timeout | undefined;
	failures: number;
}

/**
 * Deliveries of push notifications to their receivers: in order, and each at least once. Among several instances, one
 * delivers to a receiver; where it ends, another one goes on.
 */
export class PushDeliveries {
	readonly #options: PushDeliveriesOptions;
	readonly #claims: WorkClaims;
	readonly #timings: PushTimings;
	readonly #semaphore = createSemaphore(CONCURRENCY);
	readonly #deliveries = new Map<string, Delivery>();
	readonly #ending = new Set<Promise<void>>();
	readonly #unsubscribe: () => void;
	#isStopped = false;

	constructor(options: PushDeliveriesOptions) {
		this.#options = options;
		this.#claims = options.claims ?? ownClaims;
		this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
		this.#unsubscribe = this.#claims.onChange((change) => {
			this.#apply(change).catch(options.onError);
		});
	}

	/** Delivers what a configuration is owed from now on; from the start where it was changed. */
	deliver(key: PushConfigKey): void {
		if (this.#isStopped) return;
		const ended = this.#end(key);
		const delivery = this.#add(key);
		delivery.work = ended.then(() => this.#takeAndStart(delivery));
	}

	/** Stops the delivery to a configuration that is deleted. */
	cancel(key: PushConfigKey): void {
		if (this.#deliveries.has(toKey(key))) void this.#end(key);
		else if (this.#claims.isShared) this.#claims.requestCancel(toWork(key)).catch(this.#options.onError);
	}

	/** Ends all configurations of a client that is deleted, and deletes their secrets. */
	async cancelAllOf(clientId: string): Promise<void> {
		for (const key of await this.#options.pushConfigs.finishAllOf(clientId)) this.cancel(key);
	}

	/** Delivers all that is owed and that no living instance delivers: after a start, or the end of another instance. */
	async resume(): Promise<void> {
		for (const key of await this.#options.pushConfigs.listPending()) await this.#deliverFree(key);
	}

	/** Stops deliveries; undelivered notifications stay pending. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		this.#unsubscribe();
		for (const { key } of [...this.#deliveries.values()]) void this.#end(key);
		await Promise.all(this.#ending);
	}

	#add(key: PushConfigKey): Delivery {
		const abortController = new AbortController();
		const work = Promise.resolve();
		const delivery: Delivery = { key, abortController, work, retry: undefined, failures: 0 };
		this.#deliveries.set(toKey(key), delivery);
		return delivery;
	}

	/** Ends a delivery, and gives its claim back. Resolves once both are done. */
	#end(key: PushConfigKey): Promise<void> {
		const delivery = this.#deliveries.get(toKey(key));
		if (delivery === undefined) return Promise.resolve();
		this.#deliveries.delete(toKey(key));
		clearTimeout(delivery.retry);
		delivery.abortController.abort(new DOMException("No more notifications are sent.", "AbortError"));
		const ended = delivery.work.then(() => this.#claims.release(toWork(key)));
		this.#ending.add(ended);
		return ended.finally(() => this.#ending.delete(ended));
	}

	async #deliverFree(key: PushConfigKey): Promise<void> {
		if (this.#isStopped || this.#deliveries.has(toKey(key))) return;
		const delivery = this.#add(key);
		const taking = this.#claims.take(toWork(key));
		delivery.work = taking.then(
			() => undefined,
			() => undefined,
		);
		if (await taking) this.#start(delivery);
		else this.#forget(delivery);
	}

	/** Starts a delivery, in place of the one that another instance is at; later, where the store fails. */
	async #takeAndStart(delivery: Delivery): Promise<void> {
		const { signal } = delivery.abortController;
		let isTaken: boolean;
		try {
			isTaken = await this.#takeOver(toWork(delivery.key), signal);
		} catch (error) {
			this.#options.onError(error);
			return this.#scheduleRetry(delivery, () => {
				delivery.work = this.#takeAndStart(delivery);
			});
		}
		if (!isTaken) this.#forget(delivery);
		else if (!signal.aborted) await this.#work(delivery).catch(this.#options.onError);
	}

	/** @returns false where a third instance was faster, which reads the same configuration. */
	async #takeOver(work: Work, signal: AbortSignal): Promise<boolean> {
		if (await this.#claims.take(work)) return true;
		if (await this.#claims.requestCancel(work)) await this.#claims.untilReleased(work, signal);
		return !signal.aborted && this.#claims.take(work);
	}

	#start(delivery: Delivery): void {
		if (delivery.abortController.signal.aborted) return;
		delivery.work = this.#work(delivery).catch(this.#options.onError);
	}

	async #work(delivery: Delivery): Promise<void> {
		const { key, abortController } = delivery;
		const { signal } = abortController;
		try {
			await deliverNotifications(key, this.#options, (pending) => this.#post(delivery, pending), signal);
		} catch (error) {
			if (signal.aborted) return;
			if (error instanceof LostDeliveryError) return this.#forget(delivery);
			return this.#fail(delivery, error);
		}
		await this.#finish(delivery);
	}

	#forget(delivery: Delivery): void {
		if (this.#deliveries.get(toKey(delivery.key)) === delivery) this.#deliveries.delete(toKey(delivery.key));
	}

	/** Gives the claim of a delivery back, unless it was ended meanwhile. */
	async #finish(delivery: Delivery): Promise<void> {
		if (delivery.abortController.signal.aborted) return;
		this.#forget(delivery);
		const released = this.#claims.release(toWork(delivery.key));
		this.#ending.add(released);
		await released.finally(() => this.#ending.delete(released));
	}

	/** Cancels what another instance wants cancelled, and goes on with what one has given back. */
	async #apply(change: WorkChange): Promise<void> {
		if (change.type === "missed") {
			for (const work of await this.#claims.listCancelled())
				if (work.kind === "push") void this.#end(fromWork(work));
			return this.resume();
		}
		if (!("kind" in change) || change.kind !== "push") return;
		const key = fromWork(change);
		if (change.type === "cancel") await this.#end(key);
		else if ((await this.#options.pushConfigs.find(key))?.is_finished === false) await this.#deliverFree(key);
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
				if (!(await this.#claims.isOwn(toWork(delivery.key)))) throw new LostDeliveryError();
				const deadlineSignal = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]);
				return sendWebhook(this.#options.outbound, receiver, notification, deadlineSignal);
			});
			delivery.failures = 0;
			return outcome;
		} catch (cause) {
			if (cause instanceof LostDeliveryError) throw cause;
			throw new UndeliveredError(at, cause);
		}
	}

	/**
	 * Schedules a retry of a failed delivery, or abandons it once its event is `maxAgeMs` old. A refusal by the
	 * receiver is reported as an error only then.
	 */
	async #fail(delivery: Delivery, error: unknown): Promise<void> {
		const { maxAgeMs } = this.#timings;
		const isUndelivered = error instanceof UndeliveredError;
		if (isUndelivered && clock.now() - error.at >= maxAgeMs) return this.#abandon(delivery, error);
		if (!isUndelivered) this.#options.onError(error);
		if (error instanceof UndecryptableReceiverError) return;
		this.#scheduleRetry(delivery, () => this.#start(delivery));
	}

	#scheduleRetry(delivery: Delivery, retry: () => void): void {
		const { retryMs, maxRetryMs } = this.#timings;
		delivery.failures += 1;
		if (delivery.abortController.signal.aborted) return;
		delivery.retry = setTimeout(retry, backoffDelayMs(delivery.failures, retryMs, maxRetryMs)).unref();
	}

	async #abandon(delivery: Delivery, error: UndeliveredError): Promise<void> {
		this.#options.onError(error);
		await this.#options.pushConfigs.finish(delivery.key);
		await this.#finish(delivery);
	}
}

const toKey = ({ run_id, id }: PushConfigKey): string => JSON.stringify([run_id, id]);

const toWork = (key: PushConfigKey): Work => ({ kind: "push", id: toKey(key) });

/** Reads the key of a delivery from its claim. */
function fromWork({ id: text }: Pick<Work, "id">): PushConfigKey {
	const [run_id, id]: readonly string[] = JSON.parse(text);
	return { run_id: run_id ?? "", id: id ?? "" };
}
