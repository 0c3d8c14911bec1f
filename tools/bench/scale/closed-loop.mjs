import { quantile } from "../service/quantile.mjs";

/**
 * Lets clients call something again and again, each as soon as its last call has ended, for some seconds.
 *
 * @param call - gets the number of the call, which counts over all clients.
 * @returns `count` of calls that have ended, `seconds` until the last one had, and `p50` and `p95` in milliseconds.
 */
export async function repeat(clients, seconds, call) {
	const startedAt = performance.now();
	const end = startedAt + seconds * 1_000;
	const times = [];
	let next = 0;
	await Promise.all(
		Array.from({ length: clients }, async () => {
			while (performance.now() < end) {
				const callStartedAt = performance.now();
				await call(next++);
				times.push(performance.now() - callStartedAt);
			}
		}),
	);
	return {
		count: times.length,
		seconds: (performance.now() - startedAt) / 1_000,
		p50: quantile(times, 0.5),
		p95: quantile(times, 0.95),
	};
}
