import { createSseReader } from "@stemma/core/sse";
import type { OpenResponse, ServiceRequest, StemmaClient } from "../client";
import { parseJson } from "../errors/read-api-error";
import { readBoundedBody } from "../http/read-bounded-body";
import { RETRYABLE_STATUSES } from "../http/retry";
import type { CallOptions } from "../options/call-options";
import { readSseEvents } from "../streams/event-source";
import { A2aError } from "./a2a-error";
import type { A2aMethod, Binding, BindingResponse, FailureResponse } from "./binding";

/** Options of all calls to an agent. */
export interface AgentOptions {
	/** Client whose limits and logger apply to every call. */
	readonly client: StemmaClient;
	/** Headers of every request. */
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** The longest answer, event, or task, in characters. */
	readonly maxSize: number;
	/** Looks at the card, where that is needed. */
	route(options: CallOptions | undefined): Promise<Route>;
}

/** Endpoint for the calls to one agent. */
export interface AgentEndpoint extends AgentOptions {
	/** Converts a failure. It is loaded when it is needed: most answers are no failures. */
	toError(failure: FailureResponse, response: OpenResponse, client: StemmaClient): Promise<Error>;
}

export interface Route {
	readonly client: StemmaClient;
	readonly path: string;
	readonly bind: Binding;
	readonly tenant?: string | undefined;
	/** The agent answers piece by piece. */
	readonly canStream: boolean;
}

export interface AgentCall {
	readonly method: A2aMethod;
	readonly params: object;
	readonly options: CallOptions | undefined;
	/** Default `failed`. */
	readonly retry?: NonNullable<ServiceRequest["retry"]>;
	readonly onSend?: () => void;
	readonly isResumable?: boolean;
}

export interface CallResult {
	readonly result: unknown;
	readonly requestId: string;
}

/** Takes one result of a stream, of so many characters; reading waits for what it returns. */
export type ResultHandler = (result: unknown, length: number, requestId: string) => Promise<void> | undefined;

/** An answer that has begun. */
interface OpenCall {
	readonly client: StemmaClient;
	readonly response: OpenResponse;
	readonly read: (body: unknown) => BindingResponse | undefined;
}

/**
 * Sets the headers timeout to `eventTimeoutMs`, unless one is given: a response that comes only when the task has ended
 * takes longer.
 */
export const withTaskTimeout = (
	{ client }: AgentEndpoint,
	options: CallOptions | undefined,
): CallOptions => ({
	...options,
	timeouts: { headersTimeoutMs: client.timeouts.eventTimeoutMs, ...options?.timeouts },
});

/** One call with one answer. */
export async function callAgent(agent: AgentEndpoint, call: AgentCall): Promise<CallResult> {
	const opened = await open(agent, call);
	const { result } = await readWhole(agent, opened);
	return { result, requestId: opened.response.requestId };
}

/** One call whose answer comes in pieces, or as a whole after all. Ends with it. */
export async function streamFromAgent(
	agent: AgentEndpoint,
	call: AgentCall,
	onResult: ResultHandler,
): Promise<void> {
	const opened = await open(agent, call, "text/event-stream");
	const { response } = opened;
	const { requestId } = response;
	if (!/^text\/event-stream\b/i.test(response.header("content-type"))) {
		const { result, length } = await readWhole(agent, opened);
		return onResult(result, length, requestId);
	}
	const events = createSseReader({ maxEventLength: agent.maxSize });
	try {
		for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read())
			for (const { data } of readSseEvents(events, chunk, response)) {
				const parsed = readText(opened, data);
				if (!("result" in parsed)) throw await agent.toError(parsed, response, opened.client);
				const handled = onResult(parsed.result, data.length, requestId);
				if (handled !== undefined) await handled;
			}
	} finally {
		response.close();
	}
}

async function open(
	{ route, headers }: AgentEndpoint,
	{ method, params, ...call }: AgentCall,
	accept?: "text/event-stream",
): Promise<OpenCall> {
	const { client, path, bind, tenant } = await route(call.options);
	const { request, read } = bind(method, tenant ? { tenant, ...params } : params);
	const response = await client.open({
		...(accept && { accept }),
		...call,
		...request,
		path: path + request.path,
		headers: { ...request.headers, ...headers },
		acceptStatus: (status) => ![401, 403, ...RETRYABLE_STATUSES].includes(status),
	});
	return { client, response, read };
}

async function readWhole(agent: AgentEndpoint, opened: OpenCall) {
	const text = await readBody(opened.response, agent.maxSize);
	const parsed = readText(opened, text);
	if ("result" in parsed) return { result: parsed.result, length: text.length };
	throw await agent.toError(parsed, opened.response, opened.client);
}

/** Parses text that is an answer to the request or a failure. */
function readText({ response, read }: OpenCall, text: string): BindingResponse | FailureResponse {
	const parsed = read(text ? parseJson(text) : {});
	return parsed && ("error" in parsed || response.status < 400) ? parsed : { text };
}

/**
 * A body as text, as far as it is read: what is longer is not awaited.
 *
 * @param maxCharacters - in UTF-16 code units.
 * @throws A2aError `response_too_large`
 */
export async function readBody(response: OpenResponse, maxCharacters: number): Promise<string> {
	const text = await readBoundedBody(response, maxCharacters);
	if (text === undefined) throw createTooLargeError(maxCharacters, response.requestId);
	return text;
}

export const createTooLargeError = (maxCharacters: number, requestId: string): A2aError =>
	new A2aError(`The agent's answer is longer than ${maxCharacters} characters.`, {
		code: "response_too_large",
		hint: "If answers may be that long, raise `maxResultBytes`.",
		requestId,
	});
