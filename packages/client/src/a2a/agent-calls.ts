import { createSseReader } from "@stemma/core/sse";
import type { OpenResponse, ServiceRequest, StemmaClient } from "../client";
import { parseJson, readApiError } from "../errors/read-api-error";
import { RETRYABLE_STATUSES } from "../http/retry";
import type { CallOptions } from "../options/call-options";
import { readSseEvents } from "../streams/event-source";
import { A2aError, createInvalidResponseError } from "./a2a-error";
import type { A2aMethod, Binding, BindingResponse } from "./binding";
import { readBody } from "./read-body";

/** Endpoint for the calls to one agent. */
export interface AgentEndpoint {
	/** Client whose limits and logger apply to every call. */
	readonly client: StemmaClient;
	/** Headers of every request. */
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** The longest answer, event, or task, in characters. */
	readonly maxSize: number;
	/** Looks at the card, where that is needed. */
	route(options: CallOptions | undefined): Promise<Route>;
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
				const handled = onResult(
					"result" in parsed ? parsed.result : await fail(opened, parsed),
					data.length,
					requestId,
				);
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

async function readWhole({ maxSize }: AgentEndpoint, opened: OpenCall) {
	const text = await readBody(opened.response, maxSize);
	const parsed = readText(opened, text);
	return { result: "result" in parsed ? parsed.result : await fail(opened, parsed), length: text.length };
}

/**
 * Parses text that is an answer to the request or a failure. A failure is an error in the protocol, or the text alone.
 */
function readText({ response, read }: OpenCall, text: string): BindingResponse | { readonly text: string } {
	const parsed = read(text ? parseJson(text) : {});
	return parsed && ("error" in parsed || response.status < 400) ? parsed : { text };
}

/** Most answers are no failures. */
async function fail({ client, response }: OpenCall, failure: FailureResponse): Promise<never> {
	const { toResponseError } = await import("./response-error");
	throw toResponseError(failure, response, client, { A2aError, createInvalidResponseError, readApiError });
}

export type FailureResponse = Exclude<ReturnType<typeof readText>, { readonly result: unknown }>;
