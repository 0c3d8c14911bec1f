import type {
	A2aArtifact,
	A2aMessage,
	A2aPart,
	A2aStreamResponse,
	A2aTask,
	A2aTaskStatus,
} from "@stemma/client/a2a";
import type { OutputFormat } from "../requests/read-output-format";

/** A response with parts that its caller can read: with `text`, data becomes JSON as text. */
export function formatResponse(response: A2aStreamResponse, format: OutputFormat): A2aStreamResponse {
	if (format === "any") return response;
	if ("task" in response) return { task: formatTask(response.task) };
	if ("statusUpdate" in response) {
		const { statusUpdate } = response;
		return { statusUpdate: { ...statusUpdate, status: formatStatus(statusUpdate.status) } };
	}
	if ("artifactUpdate" in response) {
		const { artifactUpdate } = response;
		return { artifactUpdate: { ...artifactUpdate, artifact: formatParts(artifactUpdate.artifact) } };
	}
	return { message: formatParts(response.message) };
}

/** A stream of such responses. */
export async function* formatStream(
	responses: AsyncIterable<A2aStreamResponse>,
	format: OutputFormat,
): AsyncGenerator<A2aStreamResponse> {
	for await (const response of responses) yield formatResponse(response, format);
}

/** The history stays as its caller has written it. */
const formatTask = ({ status, artifacts, ...task }: A2aTask): A2aTask => ({
	...task,
	status: formatStatus(status),
	...(artifacts === undefined ? {} : { artifacts: artifacts.map(formatParts) }),
});

const formatStatus = ({ message, ...status }: A2aTaskStatus): A2aTaskStatus =>
	message === undefined ? status : { ...status, message: formatParts(message) };

const formatParts = <WithParts extends A2aArtifact | A2aMessage>(value: WithParts): WithParts => ({
	...value,
	parts: value.parts.map(formatPart),
});

function formatPart({ data, ...part }: A2aPart): A2aPart {
	return data === undefined ? part : { ...part, text: JSON.stringify(data) };
}
