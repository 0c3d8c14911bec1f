import { createSseReader } from "@stemma/core/sse";
import type { CallOptions } from "../call-options";
import type { OpenAnswer, ServiceRequest, StemmaClient } from "../client";
import { readPiece } from "../event-source";
import { parseJson, readApiError } from "../read-api-error";
import { MAY_PASS } from "../retry";
import { A2aError, createInvalidResponseError } from "./a2a-error";
import type { A2aMethod, Binding, Said } from "./binding";
import { readBody } from "./read-body";

/** Where the calls to one agent go. */
export interface Agent {
	/** Its limits and its logger are those of every call. */
	readonly client: StemmaClient;
	/** Of every request. */
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
	readonly mayBeLeft?: boolean;
}

export interface CallResult {
	readonly result: unknown;
	readonly requestId: string;
}

/** Takes one result of a stream, of so many characters; reading waits for what it returns. */
export type TakeResult = (result: unknown, length: number, requestId: string) => Promise<void> | undefined;

/** An answer that has begun. */
interface OpenCall {
	readonly client: StemmaClient;
	readonly answer: OpenAnswer;
	readonly read: (body: unknown) => Said | undefined;
}

/** One call with one answer. */
export async function callAgent(agent: Agent, call: AgentCall): Promise<CallResult> {
	const opened = await open(agent, call);
	const { result } = await readWhole(agent, opened);
	return { result, requestId: opened.answer.requestId };
}

/** One call whose answer comes in pieces, or as a whole after all. Ends with it. */
export async function streamFromAgent(agent: Agent, call: AgentCall, take: TakeResult): Promise<void> {
	const opened = await open(agent, call, "text/event-stream");
	const { answer } = opened;
	const { requestId } = answer;
	if (!/^text\/event-stream\b/i.test(answer.header("content-type"))) {
		const { result, length } = await readWhole(agent, opened);
		return take(result, length, requestId);
	}
	const events = createSseReader({ maxEventLength: agent.maxSize });
	try {
		for (let piece = await answer.read(); piece !== undefined; piece = await answer.read())
			for (const { data } of readPiece(events, piece, answer)) {
				const said = readText(opened, data);
				const pause = take("result" in said ? said.result : await fail(opened, said), data.length, requestId);
				if (pause !== undefined) await pause;
			}
	} finally {
		answer.close();
	}
}

async function open(
	{ route, headers }: Agent,
	{ method, params, ...call }: AgentCall,
	accept?: "text/event-stream",
): Promise<OpenCall> {
	const { client, path, bind, tenant } = await route(call.options);
	const { request, read } = bind(method, tenant ? { tenant, ...params } : params);
	const answer = await client.open({
		...(accept && { accept }),
		...call,
		...request,
		path: path + request.path,
		headers: { ...request.headers, ...headers },
		takes: (status) => ![401, 403, ...MAY_PASS].includes(status),
	});
	return { client, answer, read };
}

async function readWhole({ maxSize }: Agent, opened: OpenCall) {
	const text = await readBody(opened.answer, maxSize);
	const said = readText(opened, text);
	return { result: "result" in said ? said.result : await fail(opened, said), length: text.length };
}

/** What is said is an answer to the request, or a failure: with a name, or with nothing but its text. */
function readText({ answer, read }: OpenCall, text: string): Said | { readonly text: string } {
	const said = read(text ? parseJson(text) : {});
	return said && ("error" in said || answer.status < 400) ? said : { text };
}

/** Most answers are no failures. */
async function fail({ client, answer }: OpenCall, failure: Failure): Promise<never> {
	const { toAnswerError } = await import("./answer-error");
	throw toAnswerError(failure, answer, client, { A2aError, createInvalidResponseError, readApiError });
}

export type Failure = Exclude<ReturnType<typeof readText>, { readonly result: unknown }>;
