import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { ResponseRequest } from "./response-request";

/** Parts of a response that are decided before there is a reply. */
export interface ResponseStart {
	readonly id: string;
	/** Epoch milliseconds. */
	readonly createdAt: number;
	/** Name of the model that answers. */
	readonly model: string;
	readonly isStored: boolean;
	readonly request: ResponseRequest;
}

/** Fields of a response that are the same from its start to its end: mostly those of its request. */
export function toResponseHead({ id, createdAt, model, isStored, request }: ResponseStart): JsonObject {
	const { tools, tool_choice, text, reasoning, metadata } = request;
	const format = isJsonObject(text?.format) ? text.format : { type: "text" };
	const head: object = {
		id,
		object: "response",
		created_at: Math.floor(createdAt / 1000),
		model,
		background: request.background ?? false,
		instructions: request.instructions ?? null,
		max_output_tokens: request.max_output_tokens ?? null,
		metadata: metadata ?? {},
		parallel_tool_calls: request.parallel_tool_calls ?? true,
		previous_response_id: request.previous_response_id ?? null,
		reasoning: { effort: reasoning?.effort ?? null, summary: null },
		store: isStored,
		temperature: request.temperature ?? null,
		text: { format, ...(text?.verbosity && { verbosity: text.verbosity }) },
		tool_choice: tool_choice ?? "auto",
		tools: tools ?? [],
		top_p: request.top_p ?? null,
		truncation: "disabled",
		user: null,
	};
	// JSON by the way it came in.
	return head as JsonObject;
}
