import type {
	ChatCallOptions,
	ChatEvent,
	ChatModel,
	ChatReply,
	ChatRequest,
	Json,
	JsonObject,
} from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { Outcome } from "../calls/call";
import type { CallLog } from "../calls/call-log";
import { toJsonObject, toStoredError, toThrownError } from "../calls/stored-error";
import { EventStream } from "./event-stream";

/** Options of {@link createRecordedModel}. */
export interface RecordedModelOptions {
	readonly log: CallLog;
	readonly node: string;
	readonly description: Pick<ChatModel, "provider" | "model" | "vendorHost">;
	/** Makes a call of the model. */
	readonly stream: ChatModel["stream"];
}

/**
 * Model whose replies are stored. Its text comes as it is written, in the execution that makes the call; in later ones it
 * comes at once. A call that was interrupted is made again, and its reply says so by its number of attempts.
 */
export function createRecordedModel({ log, node, description, ...model }: RecordedModelOptions): ChatModel {
	const stream: ChatModel["stream"] = (request, options = {}) => {
		const events = new EventStream<ChatEvent>();
		const deltas: Delta[] = [];
		log.request({
			name: `model ${node}`,
			storesStart: true,
			async perform(isRepeated) {
				const call = { stream: model.stream, request, options, events, deltas };
				return { ...(await callModel(call, isRepeated)), deltas: deltas.map(([type, text]) => [type, text]) };
			},
			deliver(outcome) {
				if (deltas.length === 0) for (const event of readDeltas(outcome)) events.push(event);
				finish(events, outcome);
			},
		});
		return events;
	};
	return { ...description, stream, generate: (request, options) => readReply(stream(request, options)) };
}

/** Text or reasoning that came in one piece after another. */
type Delta = [type: "text" | "reasoning", text: string];

interface ModelCall {
	readonly stream: ChatModel["stream"];
	readonly request: ChatRequest;
	readonly options: ChatCallOptions;
	readonly events: EventStream<ChatEvent>;
	readonly deltas: Delta[];
}

/** @returns the reply, `null` for a stream that ended before it, or the error. */
async function callModel(call: ModelCall, isRepeated: boolean): Promise<Outcome> {
	const { request, options, events, deltas } = call;
	try {
		options.signal?.throwIfAborted();
		for await (const event of call.stream(request, options)) {
			if (event.type === "finish") return { reply: addAttempt(toJsonObject(event.reply) ?? {}, isRepeated) };
			if (events.isClosed) break;
			addDelta(deltas, event);
			events.push(event);
		}
		return { reply: null };
	} catch (error) {
		return { error: addAttempt(toStoredError(error, "model_failed"), isRepeated) };
	}
}

function addAttempt(report: JsonObject, isRepeated: boolean): JsonObject {
	if (!isRepeated) return report;
	const { attempts } = report;
	return { ...report, attempts: (typeof attempts === "number" ? attempts : 1) + 1 };
}

function addDelta(deltas: Delta[], event: Exclude<ChatEvent, { type: "finish" }>): void {
	const type = event.type === "reasoning.delta" ? "reasoning" : "text";
	const last = deltas.at(-1);
	if (last?.[0] === type) last[1] += String(event.text);
	else deltas.push([type, String(event.text)]);
}

const readDeltas = ({ deltas }: Outcome): ChatEvent[] =>
	Array.isArray(deltas) ? deltas.map((delta: Json) => toEvent(Array.isArray(delta) ? delta : [])) : [];

const toEvent = ([type, text]: readonly Json[]): ChatEvent => ({
	type: type === "reasoning" ? "reasoning.delta" : "text.delta",
	text: String(text),
});

function finish(events: EventStream<ChatEvent>, { reply, error }: Outcome): void {
	if (isJsonObject(error)) return events.fail(toThrownError(error));
	// What it is, the engine checks.
	if (reply !== null) events.push({ type: "finish", reply: reply as unknown as ChatReply });
	events.end();
}

async function readReply(events: AsyncIterable<ChatEvent>): Promise<ChatReply> {
	for await (const event of events) if (event.type === "finish") return event.reply;
	throw new TypeError("The stream ended before the reply.");
}
