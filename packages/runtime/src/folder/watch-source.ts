import { startBackgroundTimer } from "../platform/background-timer";
import type { AgentSource, SourceChanges } from "./agent-source";

const POLL_MS = 1_000;
/** Looking takes at most one part in so many of the time, however many files there are, and the pause has an end. */
const PAUSE_PER_READ = 20;
const MAX_POLL_MS = 10_000;

const NO_FILES: ReadonlySet<string> = new Set();

/**
 * Reads a source now and again whenever it changed. It asks once a second: notifications of file systems get lost on network
 * drives and on the swap of a link.
 *
 * @param onChanges - gets what changed, the first time before this resolves; gives the files to read again the next time.
 * @param onError - is told when the source cannot be read any more; once, until it can be.
 * @returns what ends the watching.
 * @throws ConfigurationError when the source cannot be read at first.
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
		const pauseMs = Math.min(Math.max(POLL_MS, readMs * PAUSE_PER_READ), MAX_POLL_MS);
		stopTimer = startBackgroundTimer(pauseMs, () => void poll());
	}

	await readChanged();
	schedule();
	return () => {
		isStopped = true;
		stopTimer();
	};
}
