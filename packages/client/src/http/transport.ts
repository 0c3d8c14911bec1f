import { isJsonObject } from "@stemma/core/internal";
import { type Credential, redact, redactJson } from "../auth/credential";
import type { OpenResponse, ServiceRequest, StemmaClient } from "../client";
import { assertStream, createInvalidResponseError } from "../errors/invalid-response";
import { parseJson } from "../errors/read-api-error";
import { type WithRequestId, withRequestId } from "../options/call-options";
import type { ConnectionSettings } from "../options/client-options";
import { createBodyReader } from "./body-reader";
import { Call, type ResponseReader } from "./call";
import type { CallTimeout } from "./call-timeout";
import { canStreamBodies, type FetchResponse, platformXmlHttpRequest } from "./platform";
import { header, isJsonResponse, readRequestId, readText } from "./response";

/** Sends requests with a credential. */
export function createTransport(settings: ConnectionSettings, credential: Credential): StemmaClient {
	const { baseUrl, logger, maxRetries, retryDelayMs, timeouts } = settings;
	const send = async <Result>(request: ServiceRequest, read: ResponseReader<Result>): Promise<Result> =>
		new Call(settings, credential, request).send(read);
	return {
		baseUrl,
		timeouts,
		maxRetries,
		retryDelayMs,
		logger,
		get canStream() {
			return (settings.fetch ?? platformXmlHttpRequest()) !== undefined || canStreamBodies();
		},
		credential,
		request: <Result extends object>(request: ServiceRequest) => send(request, readJson<Result>),
		open: (request) =>
			send(request, (response, callTimeout, redactText) => {
				const requestId = readRequestId(response, redactText);
				if (request.accept && !request.acceptStatus) assertStream(response, requestId);
				return toOpenResponse(response, requestId, callTimeout, redactText);
			}),
		redact: (json, ...secrets) => redactJson(json, (text) => redact(credential.redact(text), secrets)),
	};
}

/** Response whose body is still to be read. It holds on to no more of the call, as streams stay open for long. */
const toOpenResponse = (
	response: FetchResponse,
	requestId: string,
	callTimeout: CallTimeout,
	redactText: (text: string) => string,
): OpenResponse => ({
	requestId,
	status: response.status,
	header: (name) => header(response, name),
	isJson: isJsonResponse(response),
	json: <Body extends object>() => readJson<Body>(response, callTimeout, redactText),
	...createBodyReader(response, callTimeout),
});

async function readJson<Body extends object>(
	response: FetchResponse,
	callTimeout: CallTimeout,
	redactText: (text: string) => string,
): Promise<WithRequestId<Body>> {
	const body = parseJson(await callTimeout.wait(readText(response), "headersTimeoutMs"));
	callTimeout.end();
	const requestId = readRequestId(response, redactText);
	if (isJsonObject(body)) return withRequestId(body as Body, requestId);
	throw createInvalidResponseError("The answer is not a JSON object.", requestId, response.status);
}
