import type { LocalAgent } from "@stemma/local";
import {
	EngineRunSegment,
	type LifecycleHost,
	type RunEnd,
	type RunLifecycle,
	toDecision,
} from "@stemma/runs";
import { listAwaitedDecisions } from "../approvals/awaited-decisions";
import { INTERRUPTED, INTERRUPTED_REPEATEDLY } from "../events/interrupted-event";
import type { ApprovalRepository } from "../repositories/approval-repository";
import type { RunRepository } from "../repositories/run-repository";
import type { PausedStoredRun } from "../run-host";
import type { ResumeOptions } from "../run-requests";
import { openWithFollower, type StartRunOptions } from "../start-run";
import { readResult } from "../stored-run";
import type { WorkspaceRun } from "../workspace-run";
import { toInterruptedEnd } from "./recover-runs";
import { findResumableRun, type ResumableRun } from "./resumable-run";
import { isStartState } from "./resume-context";

/** Options of resuming the runs of one workspace that a crash has cut off. */
export interface ResumeInterruptedOptions extends Pick<StartRunOptions, "slots" | "log" | "tracker"> {
	readonly repository: RunRepository;
	readonly approvals: Pick<ApprovalRepository, "listDecided">;
	readonly lifecycle: RunLifecycle<WorkspaceRun, PausedStoredRun>;
	readonly host: LifecycleHost<PausedStoredRun>;
}

/** Times that a run is resumed after a crash, since its start or its last pause: the run itself may be the reason. */
const MAX_INTERRUPTIONS = 2;

/**
 * Resumes a run that a crash has cut off, from the state that was saved last; one that cannot be resumed ends as failed.
 *
 * @throws DomainError `too_many_runs` and StorageError `storage_unavailable`: nothing has changed then.
 */
export async function resumeInterrupted(
	runId: string,
	open: Omit<ResumeOptions, "decide">,
	options: ResumeInterruptedOptions,
): Promise<void> {
	const { lifecycle, approvals } = options;
	await lifecycle.start(runId, () => reopen(runId, open, options));
	// Decisions that were recorded after the state.
	await lifecycle.deliver(runId, async () => (await approvals.listDecided(runId)).map(toDecision));
}

/** Ends a run that a crash has cut off and that is not resumed. Nothing happens to one that is not in progress. */
export async function endInterrupted(
	runId: string,
	end: RunEnd,
	{ repository, log, lifecycle }: Pick<ResumeInterruptedOptions, "repository" | "log" | "lifecycle">,
): Promise<void> {
	const head = await repository.findHead(runId);
	if (head?.status !== "running" || lifecycle.active.get(runId) !== undefined) return;
	log.append(await toInterruptedEnd(repository, runId, end));
	await log.flushed();
	lifecycle.active.feed.notify(runId);
}

async function reopen(
	runId: string,
	open: Omit<ResumeOptions, "decide">,
	options: ResumeInterruptedOptions,
): Promise<void> {
	const { repository, slots, host } = options;
	const found = await findResumableRun(repository, runId);
	if (found === undefined) return endInterrupted(runId, { status: "failed", error: INTERRUPTED }, options);
	if (found.resumeContext.interruptions >= MAX_INTERRUPTIONS)
		return endInterrupted(runId, { status: "failed", error: INTERRUPTED_REPEATEDLY }, options);
	slots.acquireResumed(found.run);
	try {
		if (!(await track(found, open, options))) slots.release(runId);
	} catch (error) {
		slots.release(runId);
		if (host.isTemporary?.(error)) throw error;
		await endInterrupted(runId, { status: "failed", error: host.toRunError(error) }, options);
	}
}

/** Opens a run, once it is stored that it is resumed. Returns false where another instance has claimed it. */
async function track(
	found: ResumableRun,
	{ prepare, follow }: Omit<ResumeOptions, "decide">,
	options: ResumeInterruptedOptions,
): Promise<boolean> {
	const { run, state, resumeContext } = found;
	const { repository, log, tracker } = options;
	const open = await prepareOpening(found, await prepare(resumeContext), options);
	const counted = { ...resumeContext, interruptions: resumeContext.interruptions + 1 };
	const saved = { state: JSON.stringify(state), resumeContext: JSON.stringify(counted) };
	log.saveState(run.id, () => saved);
	await log.flushed();
	if (!(await repository.isOwn(run.id))) return false;
	const stream = openWithFollower(follow?.(run.agent_slug), open);
	tracker.track({ run, segment: new EngineRunSegment(stream), resumeContext: counted });
	return true;
}

type OpenRun = Parameters<typeof openWithFollower>[1];

/** Reads all that a run is opened with. One of which nothing has happened is started again. */
async function prepareOpening(
	{ run, state, resumeContext, interruption }: ResumableRun,
	agent: LocalAgent,
	{ repository, approvals }: ResumeInterruptedOptions,
): Promise<OpenRun> {
	if (isStartState(state)) {
		const inputs = await repository.findInputs(run.id);
		if (inputs === undefined) throw new Error("A run has no input.");
		const { untrustedContext = true } = resumeContext;
		return (onEvent) => agent.stream({ runId: run.id, ...inputs, untrustedContext, onEvent });
	}
	// Of a run that was claimed after its pause, and cut off before anything else of it was stored.
	const pause = await readResult(repository, run);
	const decisions = pause === undefined ? [] : await listAwaitedDecisions(approvals, run.id, pause);
	return (onEvent) => agent.resume(state, { decisions, onEvent, interruption });
}
