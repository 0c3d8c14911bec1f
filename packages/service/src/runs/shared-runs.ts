import type { RunResult } from "@stemma/core";
import { type RunLifecycle, toDecision } from "@stemma/runs";
import type { WorkChange, WorkClaims } from "../store/claims/work-claims";
import { listAwaitedDecisions } from "./approvals/awaited-decisions";
import type { ApprovalRepository } from "./repositories/approval-repository";
import type { RunRepository } from "./repositories/run-repository";
import type { PausedStoredRun } from "./run-host";
import type { WorkspaceRun } from "./workspace-run";

/** Options of the runs of a workspace that several instances share. */
export interface SharedRunsOptions {
	readonly claims: WorkClaims;
	readonly repository: Pick<RunRepository, "isOwn" | "requestCancel">;
	readonly approvals: Pick<ApprovalRepository, "listDecided">;
	readonly lifecycle: RunLifecycle<WorkspaceRun, PausedStoredRun>;
	readonly onFailure: (error: unknown) => void;
}

const forever = new AbortController().signal;

/** Runs of one workspace that several instances share: handles what the others notify, and asks them to cancel. */
export class SharedRuns {
	readonly #options: SharedRunsOptions;
	readonly #unsubscribe: () => void;
	/** Runs that have paused though what they wait for is decided. */
	readonly #undelivered = new Set<string>();

	constructor(options: SharedRunsOptions) {
		this.#options = options;
		this.#unsubscribe = options.claims.onChange((change) => {
			this.#apply(change).catch(options.onFailure);
		});
	}

	stop(): void {
		this.#unsubscribe();
	}

	/** Asks the instance that has a run in progress to cancel it; resolves once it has ended, or where none has it. */
	async cancelElsewhere(runId: string): Promise<void> {
		const { repository, lifecycle } = this.#options;
		if (await repository.requestCancel(runId)) await lifecycle.active.waitUntilSettled(runId, forever);
	}

	/**
	 * Notes a run that has paused here where decisions on what it waits for are stored: another instance has recorded them before
	 * the pause. One that records them after it resumes the run itself.
	 */
	async onPaused(runId: string, result: RunResult): Promise<void> {
		const { approvals, onFailure } = this.#options;
		try {
			const decisions = await listAwaitedDecisions(approvals, runId, result);
			if (decisions.length > 0) this.#undelivered.add(runId);
		} catch (error) {
			onFailure(error);
			// Whoever resumes it looks again.
			this.#undelivered.add(runId);
		}
	}

	/** Takes the runs that are to be resumed, as decisions on them were recorded when they were about to pause. */
	takeUndelivered(): readonly string[] {
		const runIds = [...this.#undelivered];
		this.#undelivered.clear();
		return runIds;
	}

	/** Tells other instances which of their runs are watched on this one. */
	async notifyWatched(): Promise<void> {
		const { claims } = this.#options;
		const { active } = this.#options.lifecycle;
		const runIds = active.feed.listWatched().filter((id) => active.get(id) === undefined);
		if (runIds.length > 0) await claims.notifyWatched(runIds);
	}

	/** Stops runs that other instances have claimed. */
	abandon(runIds: readonly string[]): void {
		const { active } = this.#options.lifecycle;
		for (const id of runIds) {
			active.get(id)?.abandon();
			active.feed.notifyMissed(id);
		}
	}

	async #apply(change: WorkChange): Promise<void> {
		const { active } = this.#options.lifecycle;
		if (change.type === "runs") await this.#onRuns(change.runIds);
		else if (change.type === "watched") for (const id of change.runIds) active.touch(id);
		else if (change.type === "decided") await this.#deliver(change.runId);
		else if (change.type === "missed") await this.#onMissed();
		else if (change.type === "cancel" && change.kind === "run") await this.#cancel(change.id);
	}

	/** Reads what others have written, and abandons runs of this instance that they have claimed. */
	async #onRuns(runIds: readonly string[]): Promise<void> {
		const { lifecycle, repository } = this.#options;
		const { active } = lifecycle;
		for (const id of runIds) {
			active.feed.notifyMissed(id);
			const run = active.get(id);
			if (run !== undefined && !(await repository.isOwn(id)) && active.get(id) === run) this.abandon([id]);
		}
	}

	/** Hands a run all decisions that are recorded; those that it knows change nothing. */
	#deliver(runId: string): Promise<void> {
		const { lifecycle, approvals } = this.#options;
		return lifecycle.deliver(runId, async () => (await approvals.listDecided(runId)).map(toDecision));
	}

	/** Cancels a run of this instance. */
	async #cancel(runId: string): Promise<void> {
		const { lifecycle } = this.#options;
		if (lifecycle.active.get(runId) !== undefined) await lifecycle.cancel(runId);
	}

	/** Looks at everything again. */
	async #onMissed(): Promise<void> {
		const { active } = this.#options.lifecycle;
		const own = active.list().map(({ id }) => id);
		await this.#onRuns([...new Set([...active.feed.listWatched(), ...own])]);
		for (const id of own) await this.#deliver(id);
		await this.applyCancellations();
	}

	/** Cancels runs of this instance whose cancellation others have requested. */
	async applyCancellations(): Promise<void> {
		const { claims } = this.#options;
		for (const { kind, id } of await claims.listCancelled()) if (kind === "run") await this.#cancel(id);
	}
}
