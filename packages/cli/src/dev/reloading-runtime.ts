import type { Runtime } from "@stemma/runtime";

/** Runtime that is replaced while requests come. */
export interface ReloadingRuntime {
	fetch(request: Request): Promise<Response>;
	/** The agents in one line, for a person. */
	describe(): string;
	/** Opens another runtime, which gets the requests from then on; runs of the one before may end. @throws what opening throws. */
	reload(): Promise<void>;
	close(): Promise<void>;
}

const GRACE_MS = 10_000;

/** Opens a runtime, and others in its place. Reloads wait for one another. @throws what opening throws. */
export async function openReloadingRuntime(open: () => Promise<Runtime>): Promise<ReloadingRuntime> {
	let current = await open();
	let work = Promise.resolve();
	const closing = new Set<Promise<void>>();

	async function replace(): Promise<void> {
		const before = current;
		current = await open();
		const closed = before.close(GRACE_MS).finally(() => closing.delete(closed));
		closing.add(closed);
	}

	return {
		fetch: (request) => current.fetch(request),
		describe: () => current.describe(),
		reload() {
			const reloaded = work.then(replace);
			work = reloaded.catch(() => undefined);
			return reloaded;
		},
		async close() {
			await work;
			await Promise.all([current.close(0), ...closing]);
		},
	};
}
