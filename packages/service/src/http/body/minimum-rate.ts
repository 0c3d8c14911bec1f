import { DomainError } from "../../errors/domain-error";

/** Minimum rate at which a body must arrive. */
export interface MinimumRate {
	/** Time that the service waits for any body, in milliseconds. */
	readonly graceMs: number;
	/** Each second that it waits beyond needs so many bytes that have come. */
	readonly bytesPerSecond: number;
}

export const MAX_WAIT_FOR_BODY_MS = 30_000;
export const MIN_BODY_BYTES_PER_SECOND = 16 * 1024;

const DEFAULT_RATE: MinimumRate = {
	graceMs: MAX_WAIT_FOR_BODY_MS,
	bytesPerSecond: MIN_BODY_BYTES_PER_SECOND,
};

/**
 * Reads a body that must not come too slowly: else many senders who dribble would hold what others need. Time that its
 * reader takes between two pieces does not count.
 *
 * @throws DomainError 408 `request_timeout`
 */
export async function* readAtMinimumRate(
	body: ReadableStream<Uint8Array>,
	{ graceMs, bytesPerSecond }: MinimumRate = DEFAULT_RATE,
): AsyncGenerator<Uint8Array> {
	const reader = body.getReader();
	let size = 0;
	let waitedMs = 0;
	try {
		for (;;) {
			const startedMs = performance.now();
			const next = await withTimeout(reader.read(), graceMs + (1000 * size) / bytesPerSecond - waitedMs);
			if (next.done) return;
			waitedMs += performance.now() - startedMs;
			size += next.value.byteLength;
			yield next.value;
		}
	} finally {
		reader.cancel().catch(() => undefined);
	}
}

async function withTimeout<Result>(reading: Promise<Result>, limitMs: number): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(tooSlow()), Math.max(1, limitMs));
	});
	try {
		return await Promise.race([reading, timeout]);
	} finally {
		clearTimeout(timer);
		reading.catch(() => undefined);
	}
}

const tooSlow = (): DomainError =>
	new DomainError("request_timeout", "The body of the request came too slowly.", {
		hint: `Send it without pauses, at ${MIN_BODY_BYTES_PER_SECOND / 1024} KiB a second at least.`,
	});
