/** Counts what is under way. */
export interface InFlightCounter {
	/** Counts the start of some work. Call the returned function once, when it has ended. */
	enter(): () => void;
	readonly size: number;
	/** Resolves when nothing is under way, at once if so now. */
	whenIdle(): Promise<void>;
}

export function createInFlightCounter(): InFlightCounter {
	let size = 0;
	const waiters: (() => void)[] = [];
	function leave(): void {
		size -= 1;
		if (size === 0) for (const resolve of waiters.splice(0)) resolve();
	}
	return {
		enter() {
			size += 1;
			let isDone = false;
			return () => {
				if (!isDone) leave();
				isDone = true;
			};
		},
		get size() {
			return size;
		},
		whenIdle: () => (size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
	};
}

/** Counts in the service and in the workspace at once, so that a shutdown and a deletion both see it. */
export const joinInFlightCounters = (
	service: InFlightCounter,
	workspace: InFlightCounter,
): Pick<InFlightCounter, "enter"> => ({
	enter() {
		const leaveService = service.enter();
		const leaveWorkspace = workspace.enter();
		return () => {
			leaveService();
			leaveWorkspace();
		};
	},
});
