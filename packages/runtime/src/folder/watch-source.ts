import type { AgentFile, AgentSource } from "./agent-source";

const POLL_MS = 1_000;

/**
 * Reads a source now and again whenever it changed. It asks once a second: notifications of file systems get lost on network
 * drives and on the swap of a link.
 *
 * @param onFiles - gets all files each time, the first time before this resolves.
 * @param onTrouble - is told when the source cannot be read any more; once, until it can be.
 * @returns what ends the watching.
 * @throws ConfigurationError when the source cannot be read at first.
 */
export async function watchSource(
	source: AgentSource,
	onFiles: (files: readonly AgentFile[]) => void,
	onTrouble: (error: unknown) => void,
): Promise<() => void> {
	let seen: string | undefined;
	let isTroubled = false;
	let timer: NodeJS.Timeout | undefined;
	let isStopped = false;

	/** The signature is older than what is read, so that a change in between is seen next time. */
	async function readChanged(): Promise<void> {
		const signature = await source.signature();
		if (signature === seen) return;
		onFiles(await source.read());
		seen = signature;
	}

	async function poll(): Promise<void> {
		try {
			await readChanged();
			isTroubled = false;
		} catch (error) {
			if (!isTroubled) onTrouble(error);
			isTroubled = true;
		}
		schedule();
	}

	function schedule(): void {
		if (!isStopped) timer = setTimeout(poll, POLL_MS).unref();
	}

	await readChanged();
	schedule();
	return () => {
		isStopped = true;
		clearTimeout(timer);
	};
}
