import type { SimulatedReply, StreamFault } from "./behaviour.ts";
import type { ConverseRequest } from "./converse-request.ts";
import { encodeEvent, encodePrelude } from "./encode-event.ts";
import { type StreamEvent, toEvents, toTextDelta } from "./stream-events.ts";

/** What a stream does: it sends bytes, and in the end stops in one of three ways. */
export interface StreamPlan {
	readonly frames: readonly Buffer[];
	/** `end`: as if all were well; `stall`: nothing more comes; `break`: the connection does. */
	readonly last: "end" | "stall" | "break";
}

/** The bytes of a stream with what goes wrong in it. */
export function planStream(reply: SimulatedReply, request: ConverseRequest): StreamPlan {
	const events = toEvents(reply, request);
	if (reply.fault === undefined) return { frames: events.map(toFrame), last: "end" };
	const { after = events.length - (isInEvent(reply.fault) ? 1 : 0) } = reply.fault;
	const [before, [next, ...rest]] = [events.slice(0, after), events.slice(after)];
	const corrupted = planFault(reply.fault, next ?? { type: "metadata", payload: {} }, rest);
	return { ...corrupted, frames: [...before.map(toFrame), ...corrupted.frames] };
}

const isInEvent = ({ kind }: StreamFault): boolean =>
	["cut", "truncate", "corrupt", "corrupt-prelude", "skip"].includes(kind);

function planFault(fault: StreamFault, next: StreamEvent, rest: readonly StreamEvent[]): StreamPlan {
	const frame = toFrame(next);
	switch (fault.kind) {
		case "end":
			return { frames: [], last: "end" };
		case "stall":
			return { frames: [], last: "stall" };
		case "cut":
			return { frames: [half(frame)], last: "break" };
		case "truncate":
			return { frames: [half(frame)], last: "end" };
		case "corrupt":
			return { frames: [corrupt(frame, frame.length - 1), ...rest.map(toFrame)], last: "end" };
		case "corrupt-prelude":
			return { frames: [corrupt(frame, 8), ...rest.map(toFrame)], last: "end" };
		case "skip":
			return { frames: rest.map(toFrame), last: "end" };
		case "exception":
			return { frames: [toExceptionFrame(fault)], last: "end" };
		case "error":
			return { frames: [toErrorFrame(fault)], last: "end" };
		case "giant":
			return { frames: [toTextDelta("x".repeat(fault.bytes), 0), next, ...rest].map(toFrame), last: "end" };
		case "claim":
			return { frames: [encodePrelude(fault.bytes, 0)], last: "stall" };
	}
}

const toFrame = ({ type, payload }: StreamEvent): Buffer =>
	encodeEvent(
		{ ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
		JSON.stringify(payload),
	);

function toExceptionFrame(fault: StreamFault & { kind: "exception" }): Buffer {
	const { kind: _kind, after: _after, exception, message, ...members } = fault;
	return encodeEvent(
		{ ":exception-type": exception, ":content-type": "application/json", ":message-type": "exception" },
		JSON.stringify({
			message: message ?? "The system encountered an unexpected error. Try again.",
			...members,
		}),
	);
}

const toErrorFrame = ({ code, message }: StreamFault & { kind: "error" }): Buffer =>
	encodeEvent(
		{
			":error-code": code ?? "InternalFailure",
			":error-message": message ?? "An internal server error occurred",
			":message-type": "error",
		},
		"",
	);

const half = (frame: Buffer): Buffer => frame.subarray(0, Math.ceil(frame.length / 2));

function corrupt(frame: Buffer, at: number): Buffer {
	const corrupted = Buffer.from(frame);
	corrupted.writeUInt8(corrupted.readUInt8(at) ^ 0xff, at);
	return corrupted;
}
