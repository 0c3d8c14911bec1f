import type { A2aArtifact, A2aPart, A2aSendResponse, A2aStreamResponse, A2aTask } from "./wire";

/** State of a task so far. */
export interface A2aProgress {
	/** The task, its artifacts joined; or the message, where the agent answers with one. */
	readonly result?: A2aSendResponse;
	/** Size of each artifact in memory, in characters. */
	readonly sizes: readonly number[];
	/** Size of all artifacts in memory, in characters. */
	readonly size: number;
}

export const NO_PROGRESS: A2aProgress = { sizes: [], size: 0 };

/** Cost of an artifact besides its text, in characters: each update searches all artifacts. */
const ARTIFACT_OVERHEAD = 2000;
/** Cost of a part besides its text, in characters. */
const OVERHEAD = 200;

/**
 * Takes one event in: nothing that is passed in changes. A task replaces what was known; an artifact is new, replaces the
 * one with its id, or goes behind it (`append`): text that goes on with text becomes one part.
 */
export function reduceA2aProgress(progress: A2aProgress, event: A2aStreamResponse): A2aProgress {
	if ("message" in event) return { ...NO_PROGRESS, result: event };
	if ("task" in event) {
		const sizes = (event.task.artifacts ?? []).map((artifact) => sizeOf(artifact));
		return { result: event, sizes, size: sizes.reduce((sum, size) => sum + size, 0) };
	}
	if ("statusUpdate" in event) {
		const { status } = event.statusUpdate;
		return { ...progress, result: { task: { ...taskOf(progress, event.statusUpdate), status } } };
	}
	const { artifact, append } = event.artifactUpdate;
	const task = taskOf(progress, event.artifactUpdate);
	const artifacts = [...(task.artifacts ?? [])];
	const sizes = [...progress.sizes];
	const foundIndex = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
	const index = foundIndex < 0 ? artifacts.length : foundIndex;
	const before = append ? artifacts[index] : undefined;
	const after = before === undefined ? artifact : appendArtifact(before, artifact);
	const added = sizeOf(artifact, before);
	artifacts[index] = after;
	const isJoined = after.parts.length < (before?.parts.length ?? 0) + artifact.parts.length;
	const old = sizes[index] ?? 0;
	sizes[index] = (before === undefined ? 0 : old) + added - (isJoined ? OVERHEAD : 0);
	return { result: { task: { ...task, artifacts } }, sizes, size: progress.size - old + sizes[index] };
}

/** Updates may come before the task itself. */
function taskOf(
	{ result }: A2aProgress,
	{ taskId, contextId }: { readonly taskId: string; readonly contextId: string },
): A2aTask {
	if (result !== undefined && "task" in result) return result.task;
	return { id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } };
}

function appendArtifact(before: A2aArtifact, more: A2aArtifact): A2aArtifact {
	const last = before.parts[before.parts.length - 1];
	const [first, ...rest] = more.parts;
	const parts =
		last !== undefined && first !== undefined && canMergeText(last, first)
			? [...before.parts.slice(0, -1), { ...last, text: `${last.text}${first.text}` }, ...rest]
			: [...before.parts, ...more.parts];
	return { ...before, ...more, parts };
}

const canMergeText = (last: A2aPart, next: A2aPart): boolean =>
	typeof last.text === "string" &&
	typeof next.text === "string" &&
	(last.mediaType ?? "") === (next.mediaType ?? "") &&
	[last, next].every(({ filename, metadata }) => !filename && Object.keys(metadata ?? {}).length === 0);

/**
 * Size that an artifact adds, in characters. Where the artifact exists already (`before`), only its parts and its other
 * new fields count.
 */
function sizeOf({ artifactId, parts, ...rest }: A2aArtifact, before?: A2aArtifact): number {
	const overhead = before === undefined ? artifactId.length + ARTIFACT_OVERHEAD : 0;
	return JSON.stringify([parts, rest]).length + OVERHEAD * parts.length + overhead;
}

/** Checks whether a result is final: a message, or a task that has ended. */
export const isTerminal = (result: A2aSendResponse | undefined): boolean =>
	result !== undefined &&
	("message" in result || /_(COMPLETED|FAILED|CANCELED|REJECTED)$/.test(stateOf(result)));

/** Checks whether a task waits for someone: `INPUT_REQUIRED`, `AUTH_REQUIRED`. */
export const isInterrupted = (result: A2aSendResponse | undefined): boolean =>
	/_REQUIRED$/.test(stateOf(result));

const stateOf = (result: A2aSendResponse | undefined): string =>
	result !== undefined && "task" in result ? result.task.status.state : "";
