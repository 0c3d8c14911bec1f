/** Counts what is under way. */
export interface Activity {
	/** Something begins; call what is returned, once, when it has ended. */
	enter(): () => void;
	readonly size: number;
	/** Resolves when nothing is under way, at once if so now. */
	whenIdle(): Promise<void>;
}

export function createActivity(): Activity {
	let size = 0;
	const waiting: (() => void)[] = [];
	function leave(): void {
		size -= 1;
		if (size === 0) for (const resolve of waiting.splice(0)) resolve();
	}
	return {
		enter() {
			size += 1;
			let hasLeft = false;
			return () => {
				if (!hasLeft) leave();
				hasLeft = true;
			};
		},
		get size() {
			return size;
		},
		whenIdle: () => (size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
	};
}

/** Counts in the service and in the workspace at once, so that a shutdown and a deletion both see it. */
export const joinActivities = (service: Activity, workspace: Activity): Pick<Activity, "enter"> => ({
	enter() {
		const leaveService = service.enter();
		const leaveWorkspace = workspace.enter();
		return () => {
			leaveService();
			leaveWorkspace();
		};
	},
});
