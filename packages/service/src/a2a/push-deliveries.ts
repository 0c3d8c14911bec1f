import { clock } from "@stemma/core/internal";
import type { OutboundGate } from "../outbound/outbound-gate";
import { deliverNews, LockedReceiverError, type NewsSources, type OwedNews } from "./deliver-news";
import { createLanes } from "./lanes";
import { type PostOutcome, postNews } from "./post-news";
import {
	abandonPushConfig,
	abandonPushConfigsOf,
	listOpenPushConfigs,
	type PushConfigKey,
} from "./push-config-rows";

/** Tells receivers what happens in tasks: in order, and each thing at least once. */
export interface PushDeliveries {
	/** Goes on with what a configuration is owed; anew where it was changed. */
	begin(key: PushConfigKey): void;
	/** A configuration is deleted. */
	end(key: PushConfigKey): void;
	/** A client is deleted: what it has set is told nothing more, and its secrets are forgotten. */
	endAllOf(clientId: string): Promise<void>;
	/** Goes on with all that is owed: after a start. */
	resume(): Promise<void>;
	/** What is not delivered stays owed. */
	stop(): Promise<void>;
}

export interface PushDeliveriesOptions extends NewsSources {
	/** The way out; see `OutboundGate`. */
	readonly outbound: OutboundGate["fetch"];
	readonly onError: (error: unknown) => void;
	readonly times?: Partial<PushTimes> | undefined;
}

export interface PushTimes {
	/** Until a receiver must have answered. Default 10 s. */
	readonly answerMs: number;
	/** Before it is tried again for the first time; each time twice as long. Default 1 s. */
	readonly retryMs: number;
	/** … and never longer. Default 10 minutes. */
	readonly mostRetryMs: number;
	/** So long after something has happened it is given up. Default 24 hours. */
	readonly patienceMs: number;
}

const TIMES: PushTimes = {
	answerMs: 10_000,
	retryMs: 1000,
	mostRetryMs: 10 * 60_000,
	patienceMs: 24 * 60 * 60_000,
};

/** Of a workspace: what answers slowly must not take all that the process may open. */
const AT_ONCE = 16;

/** A receiver did not take what it was told. */
class UndeliveredError extends Error {
	/** When that happened. */
	readonly at: number;

	constructor(at: number, cause: unknown) {
		super("A receiver of push notifications did not take what it was told.", { cause });
		this.at = at;
	}
}

interface Delivery {
	readonly key: PushConfigKey;
	readonly stopped: AbortController;
	work: Promise<void>;
	retry: NodeJS.Timeout | undefined;
	failures: number;
}

export function createPushDeliveries(options: PushDeliveriesOptions): PushDeliveries {
	const { database, outbound, onError } = options;
	const times = { ...TIMES, ...options.times };
	const inLane = createLanes(AT_ONCE);
	const deliveries = new Map<string, Delivery>();
	let hasStopped = false;

	async function post(delivery: Delivery, { receiver, news, at }: OwedNews): Promise<PostOutcome> {
		const { signal } = delivery.stopped;
		try {
			const outcome = await inLane(async () => {
				signal.throwIfAborted();
				const inTime = AbortSignal.any([signal, AbortSignal.timeout(times.answerMs)]);
				return postNews(outbound, receiver, news, inTime);
			});
			delivery.failures = 0;
			return outcome;
		} catch (cause) {
			throw new UndeliveredError(at, cause);
		}
	}

	async function work(delivery: Delivery): Promise<void> {
		const { key, stopped } = delivery;
		try {
			await deliverNews(key, options, (owed) => post(delivery, owed), stopped.signal);
		} catch (error) {
			if (stopped.signal.aborted) return;
			return fail(delivery, error);
		}
		if (deliveries.get(nameOf(key)) === delivery) deliveries.delete(nameOf(key));
	}

	/** What a receiver refuses is its own matter, until it is given up. */
	async function fail(delivery: Delivery, error: unknown): Promise<void> {
		const isRefused = error instanceof UndeliveredError;
		if (isRefused && clock.now() - error.at >= times.patienceMs) return giveUp(delivery, error);
		if (!isRefused) onError(error);
		if (error instanceof LockedReceiverError) return;
		const retryMs = Math.min(times.mostRetryMs, times.retryMs * 2 ** delivery.failures);
		delivery.failures += 1;
		delivery.retry = setTimeout(() => start(delivery), retryMs);
		delivery.retry.unref();
	}

	async function giveUp({ key }: Delivery, error: UndeliveredError): Promise<void> {
		deliveries.delete(nameOf(key));
		onError(error);
		await abandonPushConfig(database.write, key);
	}

	function start(delivery: Delivery): void {
		delivery.work = work(delivery).catch(onError);
	}

	function end(key: PushConfigKey): void {
		const delivery = deliveries.get(nameOf(key));
		deliveries.delete(nameOf(key));
		clearTimeout(delivery?.retry);
		delivery?.stopped.abort(new DOMException("Nothing more is told.", "AbortError"));
	}

	function begin(key: PushConfigKey): void {
		if (hasStopped) return;
		end(key);
		const stopped = new AbortController();
		const delivery: Delivery = { key, stopped, work: Promise.resolve(), retry: undefined, failures: 0 };
		deliveries.set(nameOf(key), delivery);
		start(delivery);
	}

	return {
		begin,
		end,
		async endAllOf(clientId) {
			for (const key of await abandonPushConfigsOf(database.write, clientId)) end(key);
		},
		async resume() {
			for (const key of await listOpenPushConfigs(database.read)) begin(key);
		},
		async stop() {
			hasStopped = true;
			const all = [...deliveries.values()];
			for (const { key } of all) end(key);
			await Promise.all(all.map((delivery) => delivery.work));
		},
	};
}

const nameOf = ({ run_id, id }: PushConfigKey): string => JSON.stringify([run_id, id]);
