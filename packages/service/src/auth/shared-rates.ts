import type { MinuteCount, SharedCounts } from "../store/instances/shared-counts";
import { createRateLimiter, type RateLimiter, type RatePeers } from "./rate-limiter";

/** Kind of requests. The senders of each kind are counted apart. */
export type RateScope =
	| "access_tokens"
	| "failures"
	| "registrations"
	| "requests"
	| "settings_tests"
	| "share_reads"
	| "share_reads_total"
	| "sign_ins"
	| "sign_ins_total"
	| "wrong_secrets";

/** Limits of requests by who sends them, which all instances of a deployment share. */
export interface SharedRates {
	/** Opens the limiter of one kind of requests. */
	open(scope: RateScope): RateLimiter;
	/** Tells the other instances what they do not know yet. */
	stop(): Promise<void>;
}

/** Time in milliseconds after a request within which the other instances know of it. */
export const EXCHANGE_MS = 250;

/** Maximum senders that others are told of at once. Beyond it, and while the store fails, each instance counts alone. */
const MAX_PENDING = 10_000;

/**
 * Creates limiters that count at once, and tell each other what they have counted up to four times a second. So a limit may
 * be passed by what other instances let in meanwhile; that is counted, and makes the next minute shorter. Where the store
 * fails, each goes on with what it knows.
 *
 * @param counts - left out for a single instance.
 */
export function createSharedRates(
	counts: SharedCounts | undefined,
	onError: (error: unknown) => void,
	now?: () => number,
): SharedRates {
	if (counts === undefined) return { open: () => createRateLimiter(now), stop: async () => undefined };
	const exchange = createExchange(counts, onError);
	return {
		open: (scope) => createRateLimiter(now, toPeers(exchange, scope)),
		stop: exchange.stop,
	};
}

type TotalListener = Parameters<RatePeers["onTotal"]>[0];

/** Exchange of counts with the other instances. */
interface Exchange {
	readonly add: RatePeers["add"];
	readonly onTotal: RatePeers["onTotal"];
	stop(): Promise<void>;
}

/** Makes the senders of one kind of requests distinct from those of all others. */
const toPeers = ({ add, onTotal }: Exchange, scope: RateScope): RatePeers => ({
	add: (key, minute, requests) => add(`${scope} ${key}`, minute, requests),
	onTotal: (listener) =>
		onTotal((key, minute, total) => {
			if (key.startsWith(`${scope} `)) listener(key.slice(scope.length + 1), minute, total);
		}),
});

function createExchange(counts: SharedCounts, onError: (error: unknown) => void): Exchange {
	const listeners: TotalListener[] = [];
	const pending = new Map<string, MinuteCount>();
	let timer: NodeJS.Timeout | undefined;
	let exchanging: Promise<void> | undefined;
	let hasFailed = false;

	function add(key: string, minute: number, count: number): void {
		const id = toId({ key, minute });
		const known = pending.get(id)?.count ?? 0;
		if (known === 0 && pending.size >= MAX_PENDING) return;
		pending.set(id, { key, minute, count: known + count });
		schedule();
	}

	function schedule(): void {
		if (exchanging === undefined)
			timer ??= setTimeout(() => {
				void exchange();
			}, EXCHANGE_MS).unref();
	}

	function exchange(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const sent = [...pending.values()];
		pending.clear();
		exchanging = send(sent).finally(() => {
			exchanging = undefined;
			if (pending.size > 0) schedule();
		});
		return exchanging;
	}

	async function send(sent: readonly MinuteCount[]): Promise<void> {
		if (sent.length === 0) return;
		try {
			for (const total of await counts.add(sent)) {
				const count = total.count + (pending.get(toId(total))?.count ?? 0);
				for (const listener of listeners) listener(total.key, total.minute, count);
			}
			hasFailed = false;
		} catch (error) {
			for (const { key, minute, count } of sent) add(key, minute, count);
			// Once, and not four times a second.
			if (!hasFailed) onError(error);
			hasFailed = true;
		}
	}

	return {
		add,
		onTotal: (listener) => void listeners.push(listener),
		async stop() {
			await exchanging;
			await exchange();
		},
	};
}

const toId = ({ key, minute }: Pick<MinuteCount, "key" | "minute">): string => `${minute} ${key}`;
