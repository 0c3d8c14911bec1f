import type { A2aPart, A2aStreamResponse, A2aTask } from "@stemma/client/a2a";

/** The task that a reader of a stream has in the end, as the protocol says to add it up; texts that follow one another are one. */
export function addUpdates(responses: readonly A2aStreamResponse[]): A2aTask {
	let task: A2aTask | undefined;
	for (const response of responses) {
		if ("task" in response) task = response.task;
		else if (task === undefined) throw new Error("The first is not the task.");
		else task = addUpdate(task, response);
	}
	if (task === undefined) throw new Error("Nothing came.");
	return task;
}

function addUpdate(task: A2aTask, response: A2aStreamResponse): A2aTask {
	if ("statusUpdate" in response) {
		const { status, metadata } = response.statusUpdate;
		return {
			...task,
			status,
			...(metadata === undefined ? {} : { metadata: { ...task.metadata, ...metadata } }),
		};
	}
	if (!("artifactUpdate" in response)) throw new Error("Neither an artifact nor a status.");
	const { artifact, append } = response.artifactUpdate;
	const [existing] = task.artifacts ?? [];
	if (append !== true) return { ...task, artifacts: [artifact] };
	if (existing?.artifactId !== artifact.artifactId) throw new Error("Appended to nothing.");
	const metadata = artifact.metadata ?? existing.metadata;
	const parts = joinTexts([...existing.parts, ...artifact.parts]);
	return { ...task, artifacts: [{ ...existing, parts, ...(metadata === undefined ? {} : { metadata }) }] };
}

function joinTexts(parts: readonly A2aPart[]): A2aPart[] {
	const joined: A2aPart[] = [];
	for (const part of parts) {
		const last = joined.at(-1);
		if (part.text !== undefined && last?.text !== undefined)
			joined.splice(-1, 1, { text: last.text + part.text });
		else joined.push(part);
	}
	return joined;
}
