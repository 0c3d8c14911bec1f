import type { ServiceKernel } from "../kernel";

/** Graceful shutdown of the service: it accepts nothing new, lets active work continue, then ends that too. */
export interface GracefulShutdown {
	isShuttingDown(): boolean;
	/** Aborts when streams must end. */
	readonly signal: AbortSignal;
	/** Resolves when nothing is under way, or has had its time. */
	start(kernel: Pick<ServiceKernel, "workspaces" | "inFlight">, graceMs: number): Promise<void>;
}

/** Time for streams to send their last event. */
const FLUSH_MS = 1000;

export function createGracefulShutdown(): GracefulShutdown {
	const streams = new AbortController();
	let isShuttingDown = false;
	return {
		isShuttingDown: () => isShuttingDown,
		signal: streams.signal,
		async start({ workspaces, inFlight }, graceMs) {
			isShuttingDown = true;
			// Streams of runs end with them.
			const runsEnd = workspaces.list().map(({ runs }) => runs.stop(graceMs));
			await Promise.all([...runsEnd, withTimeout(graceMs, inFlight.whenIdle())]);
			// They still have their last event to send.
			await withTimeout(FLUSH_MS, inFlight.whenIdle());
			streams.abort(new DOMException("The service is stopping.", "AbortError"));
			await withTimeout(FLUSH_MS, inFlight.whenIdle());
		},
	};
}

/** Waits for something, but no longer than so. */
async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([work, timeout]);
	clearTimeout(timer);
}
