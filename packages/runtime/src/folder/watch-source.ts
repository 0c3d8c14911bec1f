import { startBackgroundTimer } from "@stemma/core/internal";
import type { AgentSource, SourceChanges } from "./agent-source";

const POLL_MS = 1_000;
/** Looking takes at most one part in so many of the time, however many files there are, and the pause has an end. */
const PAUSE_PER_READ = 20;
/** Part of the time for a source that asks for a pause of its own: it wants changes soon. */
const PAUSE_PER_READ_OF_OWN = 2;
const MAX_POLL_MS = 10_000;

const NO_FILES: ReadonlySet<string> = new Set();

/**
 * Reads a source at once, then polls it for changes every second (or its `pollMs`), or less often if reading is slow. It polls because
 * file-system notifications get lost on network drives and when a link is replaced.
 *
 * @param onChanges - receives the changes, first before this resolves; returns the files to read again next time.
 * @param onError - is called once when the source can no longer be read; again only after a successful read.
 * @returns a function that stops the polling.
 * @throws ConfigurationError if the first read fails.
 */
export async function watchSource(
	source: AgentSource,
	onChanges: (changes: SourceChanges) => Promise<ReadonlySet<string>>,
	onError: (error: unknown) => void,
): Promise<() => void> {
	let recheck = NO_FILES;
	let hasFailed = false;
	let stopTimer = (): void => undefined;
	let isStopped = false;
	let readMs = 0;

	async function readChanged(): Promise<void> {
		const startedAt = Date.now();
		const changes = await source.readChanges(recheck);
		readMs = Date.now() - startedAt;
		if (changes !== undefined && !isStopped) recheck = await onChanges(changes);
	}

	async function poll(): Promise<void> {
		try {
			await readChanged();
			hasFailed = false;
		} catch (error) {
			if (!hasFailed && !isStopped) onError(error);
			hasFailed = true;
		}
		schedule();
	}

	function schedule(): void {
		if (isStopped || source.isFixed === true) return;
		const pausePerRead = source.pollMs === undefined ? PAUSE_PER_READ : PAUSE_PER_READ_OF_OWN;
		const pauseMs = Math.min(Math.max(source.pollMs ?? POLL_MS, readMs * pausePerRead), MAX_POLL_MS);
		stopTimer = startBackgroundTimer(pauseMs, () => void poll());
	}

	await readChanged();
	schedule();
	return () => {
		isStopped = true;
		stopTimer();
	};
}
