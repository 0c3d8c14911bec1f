/** Another process has claimed runs: this one may write nothing more of them. */
export class RunsLostError extends Error {
	readonly runIds: readonly string[];

	constructor(runIds: readonly string[]) {
		super("Another process has claimed the runs.");
		this.name = "RunsLostError";
		this.runIds = runIds;
	}
}
