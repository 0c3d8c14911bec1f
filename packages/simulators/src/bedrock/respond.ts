import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sendRaw } from "../raw-response.ts";
import type { Behaviour, SimulatedFailure, SimulatedOperation } from "./behaviour.ts";
import type { ConverseRequest } from "./converse-request.ts";
import { toMessage } from "./message.ts";
import { planStream } from "./plan-stream.ts";
import type { Rejection } from "./rejection.ts";
import { sendStream } from "./send-stream.ts";

/** Of errors that a service of this vendor declares; those of other statuses are its router's. */
const TYPES: Readonly<Record<number, string>> = {
	400: "ValidationException",
	403: "AccessDeniedException",
	404: "ResourceNotFoundException",
	408: "ModelTimeoutException",
	424: "ModelErrorException",
	429: "ThrottlingException",
	500: "InternalServerException",
	503: "ServiceUnavailableException",
};
const MESSAGES: Readonly<Record<string, string>> = {
	ThrottlingException: "Too many requests, please wait before trying again.",
	ServiceUnavailableException: "Bedrock is unable to process your request.",
	ModelTimeoutException: "Model has timed out in processing the request. Try your request again.",
};

/** Does with a request what the behaviour says. */
export async function respond(
	response: ServerResponse,
	behaviour: Behaviour,
	operation: SimulatedOperation,
	request: ConverseRequest,
): Promise<void> {
	if (behaviour.kind === "silence") return;
	if (behaviour.kind === "failure") return sendFailure(response, behaviour);
	if (behaviour.kind === "raw") return sendRaw(response, behaviour);
	if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
	if (operation.name === "converse-stream")
		return sendStream(response, behaviour, planStream(behaviour, request));
	response.writeHead(200, { "content-type": "application/json", ...behaviour.headers });
	response.end(JSON.stringify(toMessage(behaviour, request)));
}

export function sendRejection(response: ServerResponse, { status, type, source, body }: Rejection): void {
	// What no operation was found for has no type in a header.
	if (status !== 200) response.setHeader("x-amzn-ErrorType", toErrorType(type, source));
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}

function sendFailure(response: ServerResponse, failure: SimulatedFailure): void {
	const { status, retryAfter, headers, members } = failure;
	const type = failure.type ?? TYPES[status] ?? "InternalFailure";
	const message = failure.message ?? MESSAGES[type] ?? "An error occurred.";
	response.writeHead(status, {
		"content-type": "application/json",
		"x-amzn-ErrorType": toErrorType(type, "com.amazon.bedrock"),
		...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
		...headers,
	});
	response.end(failure.body ?? JSON.stringify({ message, ...members }));
}

const toErrorType = (type: string, source: Rejection["source"]): string =>
	`${type}:http://internal.amazon.com/coral/${source}/`;
