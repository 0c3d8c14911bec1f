/** Work on a run that comes from outside of it, one after the other: starting, deciding and cancelling do not meet. */
export interface RunTurns {
	take<Result>(runId: string, work: () => Promise<Result>): Promise<Result>;
	/** What is under way or waits for its turn, of all runs. */
	all(): readonly Promise<unknown>[];
}

export function createRunTurns(): RunTurns {
	const turns = new Map<string, Promise<unknown>>();
	return {
		take(runId, work) {
			const before = turns.get(runId);
			const turn = before === undefined ? work() : before.then(work, work);
			turns.set(runId, turn);
			const end = (): void => {
				if (turns.get(runId) === turn) turns.delete(runId);
			};
			turn.then(end, end);
			return turn;
		},
		all: () => [...turns.values()],
	};
}
