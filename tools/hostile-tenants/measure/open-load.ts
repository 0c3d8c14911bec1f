import { setTimeout as wait } from "node:timers/promises";
import type { Samples } from "./samples.ts";

/** One operation that is done at a steady rate. */
export interface Operation {
	readonly name: string;
	readonly perSecond: number;
	/** Rejects where it fails. */
	readonly run: () => Promise<void>;
}

/**
 * Does operations at their rates for a while, in an open loop: one that is slow delays none after it, and each is timed from the
 * moment at which it was due, so that waiting is counted.
 */
export async function measureLoad(
	operations: readonly Operation[],
	seconds: number,
): Promise<ReadonlyMap<string, Samples>> {
	const all = new Map<string, Samples>();
	await Promise.all(
		operations.map(async (operation) => {
			const samples: Samples = { times: [], failures: [] };
			all.set(operation.name, samples);
			await repeat(operation, seconds, samples);
		}),
	);
	return all;
}

async function repeat({ perSecond, run }: Operation, seconds: number, samples: Samples): Promise<void> {
	const from = performance.now();
	const count = Math.ceil(seconds * perSecond);
	const running: Promise<void>[] = [];
	for (let index = 0; index < count; index++) {
		const due = from + (index * 1000) / perSecond;
		await wait(Math.max(0, due - performance.now()));
		const started = Math.max(due, performance.now() - MAX_OWN_DELAY_MS);
		running.push(
			run().then(
				() => void samples.times.push(performance.now() - started),
				(error: unknown) =>
					void samples.failures.push(error instanceof Error ? error.message : String(error)),
			),
		);
	}
	await Promise.all(running);
}

/** A timer of this process that fires late is no delay of the service, beyond the usual. */
const MAX_OWN_DELAY_MS = 2;
