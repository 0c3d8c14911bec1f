/** Streams that are open for sessions, which end with them. */
export interface SessionWatch {
	/**
	 * Calls back once when a session has ended.
	 *
	 * @returns what ends the watch.
	 */
	watch(sessionId: string, onEnd: () => void): () => void;
	/** Looks at once which sessions have ended: after a change, instead of in some seconds. */
	check(): Promise<void>;
	/** Stops looking. */
	stop(): void;
}

export interface SessionWatchOptions {
	/** Lists those of some sessions that have not ended. */
	listLive(ids: readonly string[]): Promise<readonly string[]>;
	readonly intervalMs: number;
	readonly onError: (error: unknown) => void;
}

/** Looks from time to time, for all open streams together, and only while there are any. */
export function createSessionWatch({ listLive, intervalMs, onError }: SessionWatchOptions): SessionWatch {
	const watched = new Map<string, Set<() => void>>();
	let timer: NodeJS.Timeout | undefined;

	async function check(): Promise<void> {
		if (watched.size === 0) return;
		const ids = [...watched.keys()];
		const live = new Set(await listLive(ids));
		for (const id of ids) if (!live.has(id)) end(id);
	}
	function end(sessionId: string): void {
		const callbacks = watched.get(sessionId) ?? new Set();
		watched.delete(sessionId);
		for (const onEnd of callbacks) onEnd();
		if (watched.size === 0) stop();
	}
	function stop(): void {
		clearInterval(timer);
		timer = undefined;
	}
	return {
		watch(sessionId, onEnd) {
			const callbacks = watched.get(sessionId) ?? new Set();
			watched.set(sessionId, callbacks.add(onEnd));
			timer ??= setInterval(() => void check().catch(onError), intervalMs).unref();
			return () => {
				callbacks.delete(onEnd);
				if (callbacks.size === 0 && watched.get(sessionId) === callbacks) watched.delete(sessionId);
				if (watched.size === 0) stop();
			};
		},
		check,
		stop,
	};
}
