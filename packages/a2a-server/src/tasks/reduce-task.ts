import type { WireRunEvent } from "@stemma/client";
import type { A2aArtifact, A2aMessage, A2aStreamResponse, A2aTaskState } from "@stemma/client/a2a";
import type { JsonObject, RunResult } from "@stemma/core";
import { textOf, toFinalArtifact, toTextArtifact, withCitations } from "./answer-artifact";
import { toApprovalMessage, toFailureMessage } from "./status-message";
import type { TaskProgress } from "./task-progress";

/** A task after one more event, and what its readers are told of it. */
export interface TaskStep {
	readonly progress: TaskProgress;
	readonly updates: readonly A2aStreamResponse[];
}

/**
 * Takes one event of the run. Text streams into the one artifact; whoever adds up the updates has, at any moment, what
 * the progress has.
 */
export function reduceTask(before: TaskProgress, event: WireRunEvent): TaskStep {
	const progress = { ...before, seq: event.seq };
	switch (event.type) {
		case "run.started":
		case "run.resumed":
			return changeStatus(progress, event, "TASK_STATE_WORKING");
		case "text.delta":
			return event.final && event.text !== "" ? appendText(progress, event.text) : { progress, updates: [] };
		case "text.reset":
			return textOf(progress.artifact) === undefined
				? { progress, updates: [] }
				: replaceArtifact(progress, toTextArtifact(""));
		case "run.paused":
			return changeStatus(
				progress,
				event,
				"TASK_STATE_AUTH_REQUIRED",
				toApprovalMessage(event, progress, event.result),
			);
		case "run.completed":
			return end(progress, event, "TASK_STATE_COMPLETED");
		case "run.failed":
			return end(progress, event, "TASK_STATE_FAILED", toFailureMessage(event, progress, event.error));
		case "run.cancelled":
			return end(progress, event, "TASK_STATE_CANCELED");
		default:
			return { progress, updates: [] };
	}
}

type EndEvent = WireRunEvent & { readonly result: RunResult };

/** The answer as a whole, then that it is over. */
function end(progress: TaskProgress, event: EndEvent, state: A2aTaskState, message?: A2aMessage): TaskStep {
	const finished = finishArtifact(progress, event.result);
	const ended = changeStatus(finished.progress, event, state, message, toMetadata(event.result));
	return { progress: ended.progress, updates: [...finished.updates, ...ended.updates] };
}

function changeStatus(
	before: TaskProgress,
	{ at }: WireRunEvent,
	state: A2aTaskState,
	message?: A2aMessage,
	metadata?: JsonObject,
): TaskStep {
	const status = { state, timestamp: at, ...(message === undefined ? {} : { message }) };
	const metadataField = metadata === undefined ? {} : { metadata };
	const { taskId, contextId } = before;
	return {
		progress: { ...before, status, ...metadataField },
		updates: [{ statusUpdate: { taskId, contextId, status, ...metadataField } }],
	};
}

function appendText(before: TaskProgress, text: string): TaskStep {
	const previousText = textOf(before.artifact);
	if (previousText === undefined) return replaceArtifact(before, toTextArtifact(text));
	const progress = { ...before, artifact: toTextArtifact(previousText + text) };
	return { progress, updates: [toArtifactUpdate(before, toTextArtifact(text), { append: true })] };
}

function replaceArtifact(before: TaskProgress, artifact: A2aArtifact): TaskStep {
	return {
		progress: { ...before, artifact },
		updates: [toArtifactUpdate(before, artifact, { append: false })],
	};
}

/** Completes the artifact. If the whole answer was streamed, only the rest of the artifact is still sent. */
function finishArtifact(before: TaskProgress, result: RunResult): TaskStep {
	const artifact = toFinalArtifact(result);
	if (artifact === undefined) return { progress: before, updates: [] };
	const isStreamed = textOf(before.artifact) !== undefined && textOf(before.artifact) === result.output;
	const remaining = isStreamed ? withCitations(toTextArtifact(""), result.citations) : artifact;
	return {
		progress: { ...before, artifact },
		updates: [toArtifactUpdate(before, remaining, { append: isStreamed, lastChunk: true })],
	};
}

function toArtifactUpdate(
	{ taskId, contextId }: TaskProgress,
	artifact: A2aArtifact,
	flags: { readonly append: boolean; readonly lastChunk?: boolean },
): A2aStreamResponse {
	return { artifactUpdate: { taskId, contextId, artifact, ...flags } };
}

/** Builds the metadata of a result: the usage and receipt, as far as the events have them. */
function toMetadata({ run_id, usage, receipt }: RunResult): JsonObject {
	const receiptField = receipt.length === 0 ? {} : { receipt: receipt.map((row) => ({ ...row })) };
	return { run_id, usage: { ...usage }, ...receiptField };
}
