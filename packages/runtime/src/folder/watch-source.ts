import { startBackgroundTimer } from "../platform/background-timer";
import type { AgentSource, SourceChanges } from "./agent-source";

const POLL_MS = 1_000;
/** Looking takes at most one part in so many of the time, however many files there are, and the pause has an end. */
const SHARE = 20;
const LONGEST_POLL_MS = 10_000;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Reads a source now and again whenever it changed. It asks once a second: notifications of file systems get lost on network
 * drives and on the swap of a link.
 *
 * @param onChanges - gets what changed, the first time before this resolves; gives the files to read again the next time.
 * @param onTrouble - is told when the source cannot be read any more; once, until it can be.
 * @returns what ends the watching.
 * @throws ConfigurationError when the source cannot be read at first.
 */
export async function watchSource(
	source: AgentSource,
	onChanges: (changes: SourceChanges) => Promise<ReadonlySet<string>>,
	onTrouble: (error: unknown) => void,
): Promise<() => void> {
	let again = NOTHING;
	let isTroubled = false;
	let stopTimer = (): void => undefined;
	let isStopped = false;
	let tookMs = 0;

	async function readChanged(): Promise<void> {
		const startedAt = Date.now();
		const changes = await source.readChanges(again);
		tookMs = Date.now() - startedAt;
		if (changes !== undefined && !isStopped) again = await onChanges(changes);
	}

	async function poll(): Promise<void> {
		try {
			await readChanged();
			isTroubled = false;
		} catch (error) {
			if (!isTroubled && !isStopped) onTrouble(error);
			isTroubled = true;
		}
		schedule();
	}

	function schedule(): void {
		if (isStopped || source.isFixed === true) return;
		const pauseMs = Math.min(Math.max(POLL_MS, tookMs * SHARE), LONGEST_POLL_MS);
		stopTimer = startBackgroundTimer(pauseMs, () => void poll());
	}

	await readChanged();
	schedule();
	return () => {
		isStopped = true;
		stopTimer();
	};
}
