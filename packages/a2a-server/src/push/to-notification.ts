import type { WireRunEvent } from "@stemma/client";
import type { A2aStreamResponse } from "@stemma/client/a2a";
import type { TaskProgress } from "../tasks/task-progress";

/**
 * Converts an event to the notification that is pushed: a status while the task continues, and the whole task once it
 * ends or waits. Partial text is only for streams: each piece would be a request of its own.
 *
 * @param progress - of the task, with the event.
 */
export function toNotification(
	{ type }: WireRunEvent,
	{ taskId, contextId, status, artifact, metadata }: TaskProgress,
): A2aStreamResponse | undefined {
	const metadataField = metadata === undefined ? {} : { metadata };
	switch (type) {
		case "run.started":
		case "run.resumed":
			return { statusUpdate: { taskId, contextId, status, ...metadataField } };
		case "run.paused":
		case "run.completed":
		case "run.failed":
		case "run.cancelled":
			return {
				task: {
					id: taskId,
					contextId,
					status,
					...(artifact === undefined ? {} : { artifacts: [artifact] }),
					...metadataField,
				},
			};
		default:
			return undefined;
	}
}
