import type { SerializedRun } from "@stemma/engine";
import { type EventRecord, parseEvent } from "@stemma/runs";
import { isDelta } from "../events/is-delta";
import type { RunRepository } from "../repositories/run-repository";
import type { StoredRun } from "../stored-run";
import { isStartState, parseSavedState, type ResumeContext } from "./resume-context";

/** Run that a crash has cut off, with what it is resumed with. */
export interface ResumableRun {
	readonly run: StoredRun;
	readonly state: SerializedRun;
	readonly resumeContext: ResumeContext & { readonly interruptions: number };
	readonly interruption: { readonly lastSeq: number; readonly hasText: boolean };
}

/**
 * Finds a run in progress with a state from which it can be resumed. There is none for a run that another one needs: the
 * process of that one has ended, too. Nor is there where more happened after the state than its start and parts of what a call answers.
 */
export async function findResumableRun(
	repository: Pick<RunRepository, "find" | "loadState" | "readEvents">,
	runId: string,
): Promise<ResumableRun | undefined> {
	const [run, saved] = await Promise.all([repository.find(runId), repository.loadState(runId)]);
	if (run?.status !== "running" || run.within !== null || saved === undefined) return undefined;
	const { state, resumeContext } = parseSavedState(saved);
	const { interruptions } = resumeContext;
	const seq = isStartState(state) ? 0 : state.state.seq;
	if (interruptions === undefined || typeof seq !== "number") return undefined;
	const later = await repository.readEvents(runId, seq, Number.MAX_SAFE_INTEGER);
	const isPart = ({ type }: EventRecord): boolean =>
		isDelta(type) || (type === "run.started" && isStartState(state));
	if (!later.every(isPart)) return undefined;
	const interruption = { lastSeq: run.last_seq, hasText: later.some(isAnswerText) };
	return { run, state, resumeContext: { ...resumeContext, interruptions }, interruption };
}

function isAnswerText(record: EventRecord): boolean {
	const event = parseEvent(record);
	return event.type === "text.delta" && event.final;
}
