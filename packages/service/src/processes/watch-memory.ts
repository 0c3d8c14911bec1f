import { canReadProcessUsage, readResidentBytes } from "./process-usage";

const INTERVAL_MS = 200;

/** Watches the resident memory of a process, where the system reports it, until it is stopped. */
export function watchMemory(
	pid: number | undefined,
	maxBytes: number,
	onLimit: () => void,
): { stop(): void } {
	if (!canReadProcessUsage || pid === undefined) return { stop: () => undefined };
	let isStopped = false;
	const timer = setInterval(async () => {
		const bytes = await readResidentBytes(pid).catch(() => 0);
		if (!isStopped && bytes > maxBytes) onLimit();
	}, INTERVAL_MS);
	return {
		stop() {
			isStopped = true;
			clearInterval(timer);
		},
	};
}
