import { type ActiveRuns, toDecision } from "@stemma/runs";
import type { WorkChange, WorkClaims } from "../store/claims/work-claims";
import type { ApprovalRepository } from "./repositories/approval-repository";
import type { RunRepository } from "./repositories/run-repository";
import type { WorkspaceRun } from "./workspace-run";

/** Options of the runs of a workspace that several instances share. */
export interface SharedRunsOptions {
	readonly claims: WorkClaims;
	readonly repository: Pick<RunRepository, "isOwn" | "requestCancel">;
	readonly approvals: Pick<ApprovalRepository, "listDecided">;
	readonly active: ActiveRuns<WorkspaceRun>;
	/** Cancels a run of this instance. */
	readonly cancel: (runId: string) => Promise<void>;
	readonly onFailure: (error: unknown) => void;
}

const forever = new AbortController().signal;

/** Runs of one workspace that several instances share: handles what the others notify, and asks them to cancel. */
export class SharedRuns {
	readonly #options: SharedRunsOptions;
	readonly #unsubscribe: () => void;
	/** Runs that had just paused when a decision arrived. */
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
		const { repository, active } = this.#options;
		if (await repository.requestCancel(runId)) await active.waitUntilSettled(runId, forever);
	}

	/** Takes the runs that are to be resumed, as decisions arrived when they had just paused. */
	takeUndelivered(): readonly string[] {
		const runIds = [...this.#undelivered];
		this.#undelivered.clear();
		return runIds;
	}

	/** Tells other instances which of their runs are watched on this one. */
	async notifyWatched(): Promise<void> {
		const { active, claims } = this.#options;
		const runIds = active.feed.listWatched().filter((id) => active.get(id) === undefined);
		if (runIds.length > 0) await claims.notifyWatched(runIds);
	}

	/** Stops runs that other instances have claimed. */
	abandon(runIds: readonly string[]): void {
		const { active } = this.#options;
		for (const id of runIds) {
			active.get(id)?.abandon();
			active.feed.notifyMissed(id);
		}
	}

	async #apply(change: WorkChange): Promise<void> {
		const { active, cancel } = this.#options;
		if (change.type === "runs") await this.#onRuns(change.runIds);
		else if (change.type === "watched") for (const id of change.runIds) active.touch(id);
		else if (change.type === "decided") await this.#onDecided(change.runId, change.approvalIds);
		else if (change.type === "missed") await this.#onMissed();
		else if (change.type === "cancel" && change.kind === "run" && active.get(change.id) !== undefined)
			await cancel(change.id);
	}

	/** Reads what others have written, and abandons runs of this instance that they have claimed. */
	async #onRuns(runIds: readonly string[]): Promise<void> {
		const { active, repository } = this.#options;
		for (const id of runIds) {
			active.feed.notifyMissed(id);
			const run = active.get(id);
			if (run !== undefined && !(await repository.isOwn(id)) && active.get(id) === run) this.abandon([id]);
		}
	}

	async #onDecided(runId: string, approvalIds: readonly string[]): Promise<void> {
		const { active, approvals } = this.#options;
		const run = active.get(runId);
		if (run === undefined) return;
		const decided = await approvals.listDecided(runId);
		const decisions = decided.filter(({ id }) => approvalIds.includes(id)).map(toDecision);
		for (const decision of decisions) if (!run.decide(decision)) this.#undelivered.add(runId);
	}

	/** Looks at everything again. */
	async #onMissed(): Promise<void> {
		const { active, claims, cancel } = this.#options;
		await this.#onRuns([...new Set([...active.feed.listWatched(), ...active.list().map(({ id }) => id)])]);
		for (const { kind, id } of await claims.listCancelled())
			if (kind === "run" && active.get(id) !== undefined) await cancel(id);
	}
}
