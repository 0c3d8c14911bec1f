import type { RunRecord } from "@stemma/client";
import type { ApprovalDecision, RunError, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { DomainError } from "@stemma/protocol";
import {
	ActiveRun,
	approvalNotFound,
	EventLog,
	type EventRecord,
	findDecisionProblem,
	isDecided,
	isRepeated,
	type LazyRecord,
	type MemoryRun,
	type SourceEvent,
	type StoredApproval,
	toDecision,
	toWireTime,
} from "@stemma/runs";
import type { RunInput, RunnableAgent, SegmentOptions } from "../agents/runnable-agent";

/** Agent and version of a run. */
export interface RunSubject {
	readonly agentId: string;
	readonly agentVersion: number;
}

/** Gets every event of one run, as it happens. */
export interface RunObserver {
	onEvent(event: SourceEvent): void;
}

/** Callbacks with which a run reports to its runtime. */
export interface RunHost {
	/** Called once the run has an id. Returns where it is stored. */
	onStart(run: Run): MemoryRun<Run>;
	/** Called with each event, after it was stored. */
	onEvent(run: Run, record: EventRecord): void;
	/** Converts the error with which the source broke off to the error of the run. */
	toRunError(error: unknown): RunError;
	/** Called when the run pauses. Returns why it cannot be kept, if so. */
	onPause(run: Run): RunError | undefined;
	onEnd(run: Run, stored: MemoryRun<Run>): void;
}

export interface RunInit {
	readonly subject: RunSubject;
	readonly host: RunHost;
	/** Get its events. */
	readonly observers: readonly RunObserver[];
	readonly agent: RunnableAgent;
	readonly options: SegmentOptions;
}

const NOT_STARTED = { id: "", isBackground: false, lastSeq: 0 };
/** Place of a run that has not started: it has no events. */
const NOT_STORED: MemoryRun<Run> = {
	id: "",
	owner: undefined,
	log: new EventLog(0),
	status: "running",
	state: undefined,
	endedAtMs: 0,
	endedLength: 0,
};
const NO_OBSERVERS: readonly RunObserver[] = [];
const NO_APPROVALS: ReadonlyMap<string, StoredApproval> = new Map();

/** A run in progress, one that waits for approvals, or one that has ended and is still remembered. */
export class Run extends ActiveRun {
	readonly subject: RunSubject;
	createdAt = "";
	endedAt: string | null = null;
	/** Time at which it last began, paused, resumed or ended; RFC 3339. */
	statusAt = "";
	readonly #host: RunHost;
	readonly #options: SegmentOptions;
	readonly #agent: RunnableAgent;
	#stored = NOT_STORED;
	#observers: readonly RunObserver[];
	#lastResult: LazyRecord | undefined;
	#approvals: Map<string, StoredApproval> | undefined;
	/** Waiter for the first event of the run. */
	#startWaiter: { resolve(): void; reject(error: unknown): void } | undefined;

	constructor({ subject, host, observers, agent, options }: RunInit) {
		super(NOT_STARTED);
		this.subject = subject;
		this.#host = host;
		this.#observers = observers;
		this.#agent = agent;
		this.#options = options;
	}

	/** Starts it; it has begun when this resolves. Fails with what its source failed with, and nothing was started then. */
	async start(input: RunInput): Promise<void> {
		this.follow(this.#agent.start(input, this.#options));
		if (this.id !== "") return;
		await new Promise<void>((resolve, reject) => {
			this.#startWaiter = { resolve, reject };
		});
	}

	/** Resumes it after a pause. */
	resume(decisions: readonly ApprovalDecision[]): void {
		const { id: runId, lastSeq, isCancelled } = this;
		const { state = "" } = this.#stored.state ?? {};
		this.follow(this.#agent.resume({ runId, lastSeq, state, decisions, isCancelled }, this.#options));
	}

	get status(): RunRecord["status"] {
		return this.#stored.status;
	}

	/** Events so far; the first ones are dropped when it grows too long. */
	get log(): EventLog {
		return this.#stored.log;
	}

	/** Characters of JSON that it keeps. */
	get length(): number {
		return this.log.length + (this.#stored.state?.state.length ?? 0);
	}

	/** The result of its end, or of its pause, as JSON. */
	get resultJson(): string {
		return this.#lastResult?.resultJson ?? "null";
	}

	/** All approvals that the run has paused for, by id. */
	get approvals(): ReadonlyMap<string, StoredApproval> {
		return this.#approvals ?? NO_APPROVALS;
	}

	/**
	 * Records decisions, all or none, and lists those that are new.
	 *
	 * @throws DomainError `approval_not_found`, `approval_decided`, `approval_expired`, `run_ended`; what the process answers
	 * where the run is.
	 */
	async record(decisions: readonly ApprovalDecision[]): Promise<readonly ApprovalDecision[]> {
		const now = clock.now();
		const open = decisions.filter(
			(decision) => !isRepeated(this.approvals.get(decision.approval_id), decision),
		);
		for (const { approval_id } of open) {
			const approval = this.approvals.get(approval_id);
			const problem =
				approval === undefined
					? approvalNotFound(this.id, approval_id)
					: findDecisionProblem(this, approval, now);
			if (problem !== undefined) throw new DomainError(problem.code, problem.message, problem);
		}
		for (const decision of open) {
			await this.#agent.decide?.(this.id, decision);
			const { approval_id, reason = null } = decision;
			this.#decide(approval_id, { decision: decision.decision, reason, decided_at: now });
		}
		return open;
	}

	/** Records that the open approvals have expired whose time is over. */
	expire(now: number): void {
		for (const { id, decision, expires_at } of this.approvals.values())
			if (decision === null && expires_at <= now)
				this.#decide(id, { decision: "expire", reason: null, decided_at: now });
	}

	#decide(id: string, decision: Omit<StoredApproval, "id" | "expires_at">): void {
		const approval = this.#approvals?.get(id);
		if (approval !== undefined) this.#approvals?.set(id, { ...approval, ...decision });
	}

	/** Lists the decisions on the approvals that the run waits for. */
	listDecisions(): readonly ApprovalDecision[] {
		const open = this.paused?.approvals ?? [];
		const approvals = open.map(({ id }) => this.approvals.get(id)).filter((one) => one !== undefined);
		return approvals.filter(isDecided).map(toDecision);
	}

	protected override onEvent(event: SourceEvent): void {
		if (this.id === "") this.#onFirstEvent(event);
		if (event.type.startsWith("run.")) this.statusAt = toWireTime(event.at);
		const logged = this.log.append(event);
		if ("result" in event) {
			this.#lastResult = logged;
			this.#stored.status = event.result.status;
			if (event.type === "run.paused") this.#onPaused(event.result);
			else this.endedAt = toWireTime(event.at);
		}
		for (const observer of this.#observers) observer.onEvent(event);
		this.#host.onEvent(this, logged);
	}

	#onFirstEvent({ run_id, at }: SourceEvent): void {
		this.id = run_id;
		this.createdAt = toWireTime(at);
		this.#stored = this.#host.onStart(this);
		this.#startWaiter?.resolve();
	}

	#onPaused({ approvals = [] }: RunResult): void {
		this.#stored.state = { state: this.save(), resumeContext: "" };
		this.#approvals ??= new Map();
		for (const { id, expires_at } of approvals)
			if (!this.#approvals.has(id))
				this.#approvals.set(id, {
					id,
					expires_at: Date.parse(expires_at),
					decision: null,
					reason: null,
					decided_at: null,
				});
	}

	protected override onBroken(error: unknown): void {
		if (this.id === "") this.#startWaiter?.reject(error);
		else super.onBroken(error);
	}

	protected override toRunError(error: unknown): RunError {
		return this.#host.toRunError(error);
	}

	protected override onSettled(): void {
		const pauseError = this.result === undefined ? this.#host.onPause(this) : undefined;
		if (pauseError !== undefined) return this.end(pauseError);
		this.resolveSettled();
		if (this.result === undefined) return;
		this.#observers = NO_OBSERVERS;
		this.#host.onEnd(this, this.#stored);
	}

	toRecord(): RunRecord {
		const result = this.result ?? this.paused;
		return {
			id: this.id,
			run_id: this.id,
			agent_id: this.subject.agentId,
			agent_slug: this.subject.agentId,
			agent_version: this.subject.agentVersion,
			status: this.status,
			background: false,
			created_at: this.createdAt,
			ended_at: this.endedAt,
			last_seq: this.log.lastSeq,
			...(result === undefined ? {} : { result }),
		};
	}
}
