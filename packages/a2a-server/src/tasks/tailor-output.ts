import type {
	A2aArtifact,
	A2aMessage,
	A2aPart,
	A2aStreamResponse,
	A2aTask,
	A2aTaskStatus,
} from "@stemma/client/a2a";
import type { OutputForm } from "../requests/read-output-modes";

/** A response with parts that its caller can read: with `text`, data becomes JSON as text. */
export function tailorResponse(response: A2aStreamResponse, form: OutputForm): A2aStreamResponse {
	if (form === "any") return response;
	if ("task" in response) return { task: tailorTask(response.task) };
	if ("statusUpdate" in response) {
		const { statusUpdate } = response;
		return { statusUpdate: { ...statusUpdate, status: tailorStatus(statusUpdate.status) } };
	}
	if ("artifactUpdate" in response) {
		const { artifactUpdate } = response;
		return { artifactUpdate: { ...artifactUpdate, artifact: tailorParts(artifactUpdate.artifact) } };
	}
	return { message: tailorParts(response.message) };
}

/** A stream of such responses. */
export async function* tailorStream(
	responses: AsyncIterable<A2aStreamResponse>,
	form: OutputForm,
): AsyncGenerator<A2aStreamResponse> {
	for await (const response of responses) yield tailorResponse(response, form);
}

/** The history stays as its caller has written it. */
const tailorTask = ({ status, artifacts, ...task }: A2aTask): A2aTask => ({
	...task,
	status: tailorStatus(status),
	...(artifacts === undefined ? {} : { artifacts: artifacts.map(tailorParts) }),
});

const tailorStatus = ({ message, ...status }: A2aTaskStatus): A2aTaskStatus =>
	message === undefined ? status : { ...status, message: tailorParts(message) };

const tailorParts = <Held extends A2aArtifact | A2aMessage>(held: Held): Held => ({
	...held,
	parts: held.parts.map(tailorPart),
});

function tailorPart({ data, ...part }: A2aPart): A2aPart {
	return data === undefined ? part : { ...part, text: JSON.stringify(data) };
}
