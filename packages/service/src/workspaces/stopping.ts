import type { ServiceKernel } from "../http/service-app";

/** How a service stops: it takes nothing new, lets go on what is under way, then ends that too. */
export interface Stopping {
	hasBegun(): boolean;
	/** Aborts when streams must end. */
	readonly signal: AbortSignal;
	/** Resolves when nothing is under way, or has had its time. */
	begin(kernel: Pick<ServiceKernel, "workspaces" | "activity">, graceMs: number): Promise<void>;
}

/** For streams to send their last event. */
const LAST_WORDS_MS = 1000;

export function createStopping(): Stopping {
	const streams = new AbortController();
	let hasBegun = false;
	return {
		hasBegun: () => hasBegun,
		signal: streams.signal,
		async begin({ workspaces, activity }, graceMs) {
			hasBegun = true;
			// Streams of runs end with them.
			const runsEnd = workspaces.list().map(({ runs }) => runs.stop(graceMs));
			await Promise.all([...runsEnd, atMost(graceMs, activity.whenIdle())]);
			// They still have their last event to send.
			await atMost(LAST_WORDS_MS, activity.whenIdle());
			streams.abort(new DOMException("The service is stopping.", "AbortError"));
			await atMost(LAST_WORDS_MS, activity.whenIdle());
		},
	};
}

/** Waits for something, but no longer than so. */
async function atMost(ms: number, something: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([something, timeout]);
	clearTimeout(timer);
}
