import { formatPath, type Json } from "@stemma/core";
import { isJsonObject, readRunInput } from "@stemma/core/internal";
import type { RunInput } from "../../agents/runnable-agent";
import { invalidField } from "../http-error";
import type { HttpRequest } from "../http-exchange";
import { assertKnownFields, readJsonBody } from "./read-json-body";

/** Body of `POST /run/:agentId`. */
export interface RunRequestBody {
	readonly run: RunInput;
	/** True for a stream, false for one answer. Default: the header `Accept` decides. */
	readonly stream?: boolean;
}

/** Reads the body of `POST /run/:agentId`. @throws HttpError for anything else. */
export async function readRunRequest(request: HttpRequest): Promise<RunRequestBody> {
	const body = await readJsonBody(request);
	assertKnownFields(body, ["input", "context", "stream"]);
	const { input, context, stream } = body;
	if (input === undefined) throw invalidField("input", "Missing: text or JSON is required.");
	assertConversation(input as Json);
	if (context !== undefined && !isJsonObject(context))
		throw invalidField("context", "Expected a JSON object.");
	if (stream !== undefined && typeof stream !== "boolean")
		throw invalidField("stream", "Expected true or false.");
	return {
		// Parsed from JSON, so it is.
		run: {
			input: input as Json,
			...(context === undefined ? {} : { context: context as { [key: string]: Json } }),
		},
		...(stream === undefined ? {} : { stream }),
	};
}

/**
 * Asserts that an input that looks like a conversation is a valid one.
 *
 * @throws HttpError with the paths of the invalid roles and parts.
 */
export function assertConversation(input: Json): void {
	const reading = readRunInput(input);
	if ("input" in reading) return;
	const [first, ...others] = reading.issues.map(({ path, message }) => ({
		path: formatPath(["input", ...path]),
		message,
	}));
	if (first !== undefined) throw invalidField(first.path, first.message, ...others);
}
