import { sleep } from "@stemma/core/internal";
import { type LoggedEvent, RunsLostError } from "@stemma/runs";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { RunCounts, RunsElsewhere } from "../../../runs/runs-elsewhere";
import type { TakeWork, Work, WorkChange, WorkClaims, WorkKind } from "../../claims/work-claims";
import type { Queries } from "../../database";
import { listLastEvents } from "../../repositories/runs/last-events";
import type { WorkspaceTables } from "../../workspace-tables";
import { IS_OWN_WORKSPACE, isClaimOf, isLiving, isUnclaimed, UPLOADS_CLAIM_KIND } from "./claim-conditions";
import type { EventNotifier } from "./event-notifier";
import { notifyWork } from "./notify-work";
import type { WorkSignals } from "./work-signals";

/** Options of the claims of one workspace. */
export interface PostgresClaimsOptions {
	readonly database: Queries<WorkspaceTables>;
	readonly workspaceId: string;
	/** `ins_…` */
	readonly instanceId: string;
	/** Changes that other instances have made. */
	readonly signals: WorkSignals;
	readonly events: EventNotifier;
}

type Connection = Kysely<WorkspaceTables>;

/** Interval in milliseconds at which a claim of another instance is looked at: its lease ends without a word. */
const RELEASE_POLL_MS = 1_000;

/** Claims in `stemma_deployment.claims`. They change in transactions of the workspace, whose writers take turns. */
export class PostgresClaims implements WorkClaims {
	readonly isShared = true;
	readonly #options: PostgresClaimsOptions;
	readonly owner: string;
	/** Fences of the claims of this instance, by work. */
	readonly #fences = new Map<string, number>();
	/** Fences of claims whose transaction is in progress. */
	readonly #pending = new Set<number>();
	/** Fences of the runs that the recovery in progress has claimed, by work. */
	readonly #recovered = new Map<string, number>();
	/** Number of failures since the last recovery behind which there may be a claim of this instance whose fence it does not have. */
	#doubts = 0;

	constructor(options: PostgresClaimsOptions) {
		this.#options = options;
		this.owner = options.instanceId;
	}

	get hasUnconfirmed(): boolean {
		return this.#doubts > 0;
	}

	take(work: Work): Promise<boolean> {
		return this.taking(work, (take) => this.#options.database.write.transaction().execute(take));
	}

	async taking<Result>(work: Work, transaction: (take: TakeWork) => Promise<Result>): Promise<Result> {
		let fence: number | undefined;
		try {
			const result = await transaction(async (connection) => {
				fence = await this.#take(connection, work);
				if (fence !== undefined) this.#pending.add(fence);
				return fence !== undefined;
			});
			if (fence !== undefined) this.#fences.set(toKey(work), fence);
			return result;
		} catch (error) {
			if (fence !== undefined) this.#doubts += 1;
			throw error;
		} finally {
			if (fence !== undefined) this.#pending.delete(fence);
		}
	}

	async #take(connection: Connection, { kind, id }: Work): Promise<number | undefined> {
		const { rows } = await sql<{ fence: number }>`
			INSERT INTO stemma_deployment.claims AS claims (workspace, kind, id, owner)
			VALUES (current_setting('stemma.workspace'), ${kind}, ${id}, ${this.owner})
			ON CONFLICT (workspace, kind, id) DO UPDATE SET owner = excluded.owner, fence = DEFAULT, cancelled = 0
			WHERE claims.owner = ${this.owner} OR NOT ${isLiving(sql.ref("claims.owner"))}
			RETURNING fence`.execute(connection);
		return rows[0]?.fence;
	}

	async release(work: Work): Promise<void> {
		const fence = this.#fences.get(toKey(work));
		if (fence === undefined) return;
		this.#fences.delete(toKey(work));
		try {
			await this.#options.database.write.transaction().execute(async (transaction) => {
				await sql`DELETE FROM stemma_deployment.claims WHERE ${isClaimOf(work)} AND fence = ${fence}`.execute(
					transaction,
				);
				await this.notify(transaction, { type: "released", ...work });
			});
		} catch {
			this.#doubts += 1;
		}
	}

	abandon(work: Work): void {
		this.#fences.delete(toKey(work));
		this.#doubts += 1;
	}

	toFenced<Written extends Pick<LoggedEvent, "runId">>(written: readonly Written[]): readonly Written[] {
		const fenced = written.map((one) => ({ ...one, fence: this.#fences.get(toRunKey(one.runId)) }));
		const lost = fenced.flatMap(({ runId, fence }) => (fence === undefined ? [runId] : []));
		if (lost.length > 0) throw new RunsLostError([...new Set(lost)]);
		return fenced;
	}

	forgetEnded(events: readonly LoggedEvent[]): void {
		for (const { runId, status = "running", fence } of events)
			if (status !== "running" && this.#fences.get(toRunKey(runId)) === fence)
				this.#fences.delete(toRunKey(runId));
	}

	notifyAppended(events: readonly LoggedEvent[]): void {
		const { workspaceId, events: notifier } = this.#options;
		const runIds = [...listLastEvents(events)]
			.filter(({ status = "running" }) => status === "running")
			.map(({ runId }) => runId);
		if (runIds.length > 0) notifier.add(workspaceId, runIds);
	}

	forgetLost(runIds: readonly string[]): void {
		for (const runId of runIds) this.#fences.delete(toRunKey(runId));
	}

	async isOwn(work: Work): Promise<boolean> {
		const fence = this.#fences.get(toKey(work));
		if (fence === undefined) return false;
		const { rows } = await sql`
			SELECT 1 FROM stemma_deployment.claims WHERE ${isClaimOf(work)} AND fence = ${fence}`.execute(
			this.#options.database.read,
		);
		return rows.length > 0;
	}

	requestCancel(work: Work): Promise<boolean> {
		return this.#options.database.write.transaction().execute(async (transaction) => {
			const { rows } = await sql`
				UPDATE stemma_deployment.claims SET cancelled = 1
				WHERE ${isClaimOf(work)} AND owner <> ${this.owner} RETURNING id`.execute(transaction);
			if (rows.length === 0) return false;
			await this.notify(transaction, { type: "cancel", ...work });
			return true;
		});
	}

	async listCancelled(): Promise<readonly Work[]> {
		const { rows } = await sql<Work>`
			SELECT kind, id FROM stemma_deployment.claims
			WHERE ${IS_OWN_WORKSPACE} AND owner = ${this.owner} AND cancelled = 1`.execute(
			this.#options.database.read,
		);
		return rows;
	}

	async untilReleased(work: Work, signal: AbortSignal): Promise<void> {
		while (!signal.aborted && (await this.#isElsewhere(work))) {
			const woken = new AbortController();
			const stop = this.onChange((change) => {
				if (change.type === "missed" || (change.type === "released" && toKey(change) === toKey(work)))
					woken.abort();
			});
			// What was released before this is seen after a second.
			await sleep(RELEASE_POLL_MS, AbortSignal.any([signal, woken.signal]));
			stop();
		}
	}

	async #isElsewhere(work: Work): Promise<boolean> {
		const { rows } = await sql`
			SELECT 1 FROM stemma_deployment.claims
			WHERE ${isClaimOf(work)} AND owner <> ${this.owner} AND ${isLiving(sql.ref("claims.owner"))}`.execute(
			this.#options.database.read,
		);
		return rows.length > 0;
	}

	async recovering(work: () => Promise<void>): Promise<void> {
		const doubts = this.#doubts;
		this.#recovered.clear();
		try {
			await this.#deleteUnknown();
			await work();
			await this.#deleteInterrupted();
			this.#doubts -= doubts;
		} catch (error) {
			// Whatever it has claimed and not ended is left to the next recovery.
			for (const [key, fence] of this.#recovered)
				if (this.#fences.get(key) === fence) this.#fences.delete(key);
			this.#doubts += 1;
			throw error;
		}
	}

	/** Deletes the claims of this instance whose fences it does not have: nothing is done under them. */
	async #deleteUnknown(): Promise<void> {
		await this.#options.database.write.transaction().execute(async (transaction) => {
			// No claim of this process is between its transaction and its fence: the writers of a workspace take turns.
			const known = [...this.#fences.values(), ...this.#pending];
			await sql`
				DELETE FROM stemma_deployment.claims
				WHERE ${IS_OWN_WORKSPACE} AND owner = ${this.owner}
					AND kind <> ${UPLOADS_CLAIM_KIND} AND fence <> ALL(${known}::bigint[])`.execute(transaction);
		});
	}

	async claimInterruptedRuns(): Promise<readonly string[]> {
		const rows = await this.#options.database.write.transaction().execute(async (transaction) => {
			const taken = await sql<{ id: string; fence: number }>`
				UPDATE stemma_deployment.claims SET owner = ${this.owner}, fence = DEFAULT
				WHERE ${IS_OWN_WORKSPACE} AND kind = 'run' AND ${this.#isLeft} RETURNING id, fence`.execute(
				transaction,
			);
			const unclaimed = await sql<{ id: string; fence: number }>`
				INSERT INTO stemma_deployment.claims (workspace, kind, id, owner)
				SELECT runs.workspace, 'run', runs.id, ${this.owner} FROM runs
				WHERE runs.workspace = current_setting('stemma.workspace') AND runs.status = 'running'
				ON CONFLICT DO NOTHING RETURNING id, fence`.execute(transaction);
			return [...taken.rows, ...unclaimed.rows];
		});
		for (const { id, fence } of rows) {
			this.#fences.set(toRunKey(id), fence);
			this.#recovered.set(toRunKey(id), fence);
		}
		return rows.map(({ id }) => id);
	}

	/** Deletes the claims of other work than runs that instances have left: it was ended before. */
	async #deleteInterrupted(): Promise<void> {
		await sql`
			DELETE FROM stemma_deployment.claims
			WHERE ${IS_OWN_WORKSPACE} AND kind <> 'run' AND ${this.#isLeft}`.execute(this.#options.database.write);
	}

	/** Condition that the instance of a claim has ended. This one has not, also where its lease is over. */
	get #isLeft(): Expression<SqlBool> {
		return sql<SqlBool>`(claims.owner <> ${this.owner} AND NOT ${isLiving(sql.ref("claims.owner"))})`;
	}

	/** A run that waits for its turn in a thread has no events. */
	async countRunsElsewhere(queries: Connection): Promise<RunsElsewhere> {
		const { rows } = await sql<RunCounts & { started_by: string }>`
			SELECT runs.started_by, count(*) AS "all",
				count(*) FILTER (WHERE runs.last_seq > 0 OR messages.id IS NULL) AS started
			FROM stemma_deployment.claims JOIN runs ON runs.workspace = claims.workspace AND runs.id = claims.id
				LEFT JOIN thread_messages AS messages
					ON messages.workspace = runs.workspace AND messages.run_id = runs.id
			WHERE ${IS_OWN_WORKSPACE} AND claims.kind = 'run' AND claims.owner <> ${this.owner}
			GROUP BY runs.started_by`.execute(queries);
		return new Map(rows.map(({ started_by, ...counts }) => [started_by, counts]));
	}

	notify(transaction: Connection, change: WorkChange): Promise<void> {
		return notifyWork(transaction, this.owner, change);
	}

	async notifyWatched(runIds: readonly string[]): Promise<void> {
		await this.notify(this.#options.database.write, { type: "watched", runIds });
	}

	isUnclaimed(kind: WorkKind, id: string): Expression<SqlBool> {
		return isUnclaimed(kind, id, this.owner);
	}

	onChange(listener: (change: WorkChange) => void): () => void {
		return this.#options.signals.subscribe(this.#options.workspaceId, listener);
	}
}

const toKey = ({ kind, id }: Work): string => `${kind}:${id}`;
const toRunKey = (id: string): string => toKey({ kind: "run", id });
