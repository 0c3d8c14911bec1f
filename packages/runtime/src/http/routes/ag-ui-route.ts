import { AG_UI_HEADERS, type AgUiEvent, createAgUiEncoder, readAgUiRequest } from "@stemma/client/ag-ui";
import { invalidField } from "../http-error";
import type { HttpRequest, HttpResponse } from "../http-exchange";
import { assertKnownFields, readJsonBody } from "../request/read-json-body";
import { type ChunkProtocol, respondWithChunks } from "./chunk-response";
import { createFrontEndRuns } from "./front-end-runs";
import type { RunRoutesOptions } from "./run-routes";

/** `POST /run/:agentId/ag-ui`: runs as clients of AG-UI ask for them. */
export type AgUiRoute = (request: HttpRequest, agentId: string) => Promise<HttpResponse>;

/** Fields of `RunAgentInput`. */
const FIELDS = [
	...["threadId", "runId", "protocolVersion", "parentRunId", "state"],
	...["messages", "tools", "context", "forwardedProps", "resume"],
];

const PROTOCOL: ChunkProtocol<AgUiEvent> = {
	headers: AG_UI_HEADERS,
	end: "",
	toErrorChunk: (message) => ({ type: "RUN_ERROR", code: "events_expired", message }),
};

export function createAgUiRoute(options: RunRoutesOptions): AgUiRoute {
	const frontEndRuns = createFrontEndRuns(options);
	const { active } = options.registry;
	return async (request, agentId) => {
		const body = await readJsonBody(request);
		assertKnownFields(body, FIELDS);
		const read = readAgUiRequest(body);
		if (read.type === "invalid") throw invalidField(read.param, read.message);
		const run =
			read.type === "run"
				? await frontEndRuns.start(request, agentId, read)
				: await frontEndRuns.decide(read);
		const { after = 0 } = read.options;
		return respondWithChunks({ run, active, after }, PROTOCOL, createAgUiEncoder(read.options));
	};
}
