import type { RunError, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import {
	ActiveRun,
	createTerminalEvent,
	isTerminal,
	type LoggedApproval,
	type LoggedEvent,
	type LoggedPause,
	type RunEnd,
	type RunSegment,
	type SavedState,
	type SourceEvent,
	toEventRecord,
} from "@stemma/runs";
import { isDelta } from "./events/is-delta";
import type { ResumeContext } from "./resuming/resume-context";
import type { StoredRun } from "./stored-run";

/** Message of a thread that a run answers. */
export interface RunMessage {
	readonly thread_id: string;
	readonly message_id: string;
}

/** Options of a run in progress: what it was started or resumed with, and who is called with its events. */
export interface WorkspaceRunOptions {
	/** The run as it was stored when it started or was resumed. */
	readonly run: StoredRun;
	/** Result of the pause that it was resumed after. */
	readonly lastPause?: RunResult | undefined;
	readonly resumeContext: ResumeContext;
	/** Named by the first event of the run. */
	readonly message?: RunMessage | undefined;
	append(event: LoggedEvent): void;
	/** Saves a state with what is appended. Left out where no process resumes the run after a crash. */
	readonly saveState?: ((take: () => SavedState | undefined) => void) | undefined;
	/** Called with an end in place of the engine's, which followers of its events never see. */
	onOwnEnd(status: "cancelled" | "failed"): void;
	/** Called when the run has ended or paused. Resolves once that is stored, and the run is not active any more. */
	onSettled(): Promise<void>;
	toRunError(error: unknown): RunError;
}

/** A run of a workspace in progress in this process: hands each event over as the log keeps it. */
export class WorkspaceRun extends ActiveRun {
	readonly #options: WorkspaceRunOptions;

	constructor(segment: RunSegment, options: WorkspaceRunOptions) {
		const { id, background, last_seq } = options.run;
		super({ id, isBackground: background, lastSeq: last_seq, lastPause: options.lastPause });
		this.#options = options;
		this.follow(segment);
	}

	override end(error: RunError | undefined): void {
		if (this.result === undefined) this.#options.onOwnEnd(error === undefined ? "cancelled" : "failed");
		super.end(error);
	}

	/** A run that is within another ends where it would pause, so that nobody ever sees it wait. */
	protected override replaceEvent(event: SourceEvent): SourceEvent {
		const { message } = this.#options;
		if (event.type === "run.started" && message !== undefined) return { ...event, ...message };
		if (event.type !== "run.paused" || this.#options.run.within === null) return event;
		this.#options.onOwnEnd("failed");
		return endInsteadOfPause(event);
	}

	protected override onEvent(event: SourceEvent): void {
		// Of a run that is started again: it is stored already.
		if (event.type === "run.started" && event.seq <= this.#options.run.last_seq) return;
		const logged = toLoggedEvent(event);
		const { append, resumeContext } = this.#options;
		if (event.type === "run.paused")
			return append({ ...logged, pause: toLoggedPause(event, this.save(), resumeContext) });
		append(logged);
		if (isStep(event)) this.saveState();
	}

	/** Saves its state with what is appended in this moment. */
	saveState(): void {
		this.#options.saveState?.(() => this.#takeState());
	}

	#takeState(): SavedState | undefined {
		if (this.result !== undefined || this.paused !== undefined) return undefined;
		const state = this.save();
		const { resumeContext } = this.#options;
		const { interruptions = 0 } = resumeContext;
		return state === ""
			? undefined
			: { state, resumeContext: JSON.stringify({ ...resumeContext, interruptions }) };
	}

	protected override onSettled(): void {
		void this.#options.onSettled().then(() => this.resolveSettled());
	}

	protected override toRunError(error: unknown): RunError {
		return this.#options.toRunError(error);
	}
}

/** True for events after which a run is to be resumed: all but parts of what a call answers, which is called again. */
const isStep = ({ type }: SourceEvent): boolean => type !== "run.started" && !isDelta(type);

type PausedEvent = SourceEvent & { readonly type: "run.paused" };

function endInsteadOfPause(event: PausedEvent): SourceEvent {
	const { run_id: runId, result: done } = event;
	const run = { runId, lastSeq: event.seq - 1, done };
	const failed = { status: "failed", error: pausedWhenNested(runId) } as const;
	return createTerminalEvent(run, failed, toMs(event.at));
}

const pausedWhenNested = (runId: string): RunError => ({
	code: "remote_paused",
	message: `The run ${runId} needs an approval, and a run within another run cannot wait for one.`,
	hint: "Set `approval` on the node that calls the agent, and not on its tools.",
});

const toMs = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at));

/** An event as the log keeps it, with what it changes of its run. */
export function toLoggedEvent(event: SourceEvent): LoggedEvent {
	const logged = { ...toEventRecord(event), runId: event.run_id };
	if (!event.type.startsWith("run.")) return logged;
	const at = toMs(event.at);
	if (event.type === "run.resumed") return { ...logged, status: "running", statusAt: at };
	if (!("result" in event)) return { ...logged, statusAt: at };
	const { status } = event.result;
	return isTerminal(event) ? { ...logged, status, endedAt: at } : { ...logged, status, statusAt: at };
}

/** Terminal event of a run that is not in progress. */
export const toLoggedEnd = ({ id, last_seq }: StoredRun, end: RunEnd, done?: RunResult): LoggedEvent =>
	toLoggedEvent(createTerminalEvent({ runId: id, lastSeq: last_seq, done }, end, clock.now()));

const toLoggedPause = (
	{ at, result: { approvals = [] } }: PausedEvent,
	state: string,
	resumeContext: ResumeContext,
): LoggedPause => ({
	state,
	resumeContext: JSON.stringify({ ...resumeContext, interruptions: 0 }),
	approvals: approvals.map(
		({ arguments: json, expires_at, ...approval }): LoggedApproval => ({
			...approval,
			arguments: JSON.stringify(json),
			askedAt: toMs(at),
			expiresAt: Date.parse(expires_at),
		}),
	),
});
