import type { A2aStreamResponse, A2aTask } from "@stemma/client/a2a";

/** A page of tasks, as the official client gives it. */
export interface ListedTasks {
	readonly tasks: readonly A2aTask[];
	readonly nextPageToken: string;
	readonly totalSize: number;
}

/** A request of `SendMessage`, as on the wire; the message has an id of its own. */
export const toRequest = (text: string, message: object = {}, configuration: object = {}) => ({
	message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...message },
	configuration,
});

/** The configuration that does not wait for the end of the task. */
export const RETURN_IMMEDIATELY = { returnImmediately: true };

export function getTask(answer: object): A2aTask {
	if ("task" in answer) return answer.task as A2aTask;
	throw new Error(`It is no task: ${JSON.stringify(answer)}`);
}

export function toState(event: A2aStreamResponse | undefined): string | undefined {
	if (event === undefined) return undefined;
	if ("task" in event) return event.task.status.state;
	return "statusUpdate" in event ? event.statusUpdate.status.state : undefined;
}

/** The text of the one artifact that was streamed. */
export function joinText(events: readonly A2aStreamResponse[]): string {
	return events.reduce((text, event) => {
		if ("task" in event) return textOf(event.task.artifacts?.[0]);
		if (!("artifactUpdate" in event)) return text;
		const { artifact, append } = event.artifactUpdate;
		return append === true ? text + textOf(artifact) : textOf(artifact);
	}, "");
}

const textOf = (artifact: NonNullable<A2aTask["artifacts"]>[number] | undefined): string =>
	(artifact?.parts ?? []).map(({ text = "" }) => text).join("");
