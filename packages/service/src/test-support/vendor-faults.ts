import type { Behaviour as BedrockBehaviour } from "@stemma/simulators/bedrock";
import type { Behaviour as OpenAiBehaviour } from "@stemma/simulators/openai";

export type VendorFormat = "openai-compatible" | "bedrock";

/** One way in which a vendor fails, and what its callers are told. */
export interface VendorFault {
	/** More than one where it is seen from two places. */
	readonly code: string | RegExp;
	/** How often it is tried. Default 1. */
	readonly attempts?: number;
	/** Refused at the door, which takes no tokens: there is nothing to estimate. */
	readonly isUnbilled?: true;
	/** What a hint must name: the key or the address of whoever pays, or words. */
	readonly hintNames: "key" | "address" | RegExp;
	/** Seconds. */
	readonly retryAfter?: number;
	/** Comes after the first words of a stream. */
	readonly isMidStream?: true;
	readonly "openai-compatible"?: FaultBehaviours<OpenAiBehaviour>;
	readonly bedrock?: FaultBehaviours<BedrockBehaviour>;
}

/** What a vendor does; left out where it cannot. */
interface FaultBehaviours<Behaviour> {
	/** Asked for an answer in one piece. */
	readonly whole?: Behaviour;
	readonly streamed?: Behaviour;
}

/** In each body of a vendor that fails, and nowhere else. */
export const MARKER = "the-vendor-s-own-words-8c1f5e2d";

const HUGE_BYTES = 100_000_000;

/** What both simulators know. */
type SharedBehaviour = OpenAiBehaviour & BedrockBehaviour;

function forAllFormats(behaviour: SharedBehaviour): Pick<VendorFault, VendorFormat> {
	const behaviours = { whole: behaviour, streamed: behaviour };
	return { "openai-compatible": behaviours, bedrock: behaviours };
}

const respondWithStatus = (status: number, headers: Readonly<Record<string, string>> = {}) =>
	forAllFormats({ kind: "failure", status, headers, message: `Failed: ${MARKER}` });
const raw = (body: string, headers: Readonly<Record<string, string>> = {}, status = 200) =>
	forAllFormats({ kind: "raw", status, headers, body });

const HTML = `<!doctype html><title>Bad gateway</title><p>${MARKER}</p>`;
/** An answer of which more is promised than comes. */
const BODY_START = `{"choices":[{"message":{"content":"${MARKER}`;
const truncatedBody = (connection: "close" | "keep-alive") =>
	({ kind: "raw", headers: { "content-length": "5000", connection }, body: BODY_START }) as const;

/** Text that has nothing to do with how its stream ends. */
const TEXT = "The office opens at nine, and it closes at five, on every day of the week but on Sundays.";
const replyWithFault = <Fault>(fault: Fault) => ({ kind: "reply", text: TEXT, fault }) as const;

const sse = (...events: readonly object[]): string =>
	events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const chunk = (content: string): object => ({
	id: "chatcmpl-1",
	object: "chat.completion.chunk",
	created: 0,
	model: "any",
	choices: [{ index: 0, delta: { content }, finish_reason: null }],
});
const toEventStream = (body: string) =>
	({ kind: "raw", headers: { "content-type": "text/event-stream" }, body }) as const;

/** By their names, which models have here: whoever asks for one gets the fault. */
export const FAULTS: Readonly<Record<string, VendorFault>> = {
	"status-401": { code: "invalid_credential", isUnbilled: true, hintNames: "key", ...respondWithStatus(401) },
	"status-403": {
		code: "permission",
		isUnbilled: true,
		hintNames: /`(model|api_key|credential)`/,
		...respondWithStatus(403),
	},
	"status-404": {
		code: "model_not_found",
		isUnbilled: true,
		hintNames: /`model`/,
		...forAllFormats({ kind: "failure", status: 404, message: `The model ${MARKER} does not exist.` }),
	},
	"status-404-html": {
		code: "bad_response",
		isUnbilled: true,
		hintNames: "address",
		...raw(HTML, { "content-type": "text/html" }, 404),
	},
	"status-408": { code: "timeout", hintNames: /Try again/, ...respondWithStatus(408) },
	"status-429-soon": {
		code: "rate_limited",
		attempts: 3,
		isUnbilled: true,
		hintNames: /Try again/,
		...respondWithStatus(429),
	},
	"status-429-later": {
		code: "rate_limited",
		isUnbilled: true,
		hintNames: /Try again in 40 s/,
		retryAfter: 40,
		...respondWithStatus(429, { "retry-after": "40" }),
	},
	"status-500": { code: "overloaded", attempts: 3, hintNames: /Try again/, ...respondWithStatus(500) },
	"status-503": {
		code: "overloaded",
		hintNames: /Try again in 90 s/,
		retryAfter: 90,
		...respondWithStatus(503, { "retry-after": "90" }),
	},
	"status-999": {
		code: /^(bad_response|overloaded)$/,
		hintNames: /address|Try again/,
		...raw(MARKER, {}, 999),
	},
	redirect: {
		code: "bad_response",
		hintNames: "address",
		...raw(MARKER, { location: `http://127.0.0.1:9/${MARKER}` }, 307),
	},
	html: { code: "bad_response", hintNames: "address", ...raw(HTML, { "content-type": "text/html" }) },
	"odd-type": {
		code: /^(bad_response|stream_truncated|response_too_large)$/,
		hintNames: /./,
		...raw(MARKER, { "content-type": "text/plain" }),
	},
	"no-body": { code: "bad_response", hintNames: "address", ...raw("") },
	"half-json": { code: "bad_response", hintNames: "address", ...raw(BODY_START) },
	reset: {
		code: "stream_truncated",
		hintNames: /Try again/,
		isMidStream: true,
		"openai-compatible": {
			whole: truncatedBody("close"),
			streamed: replyWithFault({ kind: "cut", after: 4 }),
		},
		bedrock: { whole: truncatedBody("close"), streamed: replyWithFault({ kind: "cut", after: 4 }) },
	},
	truncated: {
		code: "stream_truncated",
		hintNames: /Try again/,
		isMidStream: true,
		"openai-compatible": { streamed: replyWithFault({ kind: "end", after: 4 }) },
		bedrock: { streamed: replyWithFault({ kind: "truncate", after: 4 }) },
	},
	"ended-early": {
		code: "stream_truncated",
		hintNames: /Try again/,
		isMidStream: true,
		bedrock: { streamed: replyWithFault({ kind: "end", after: 4 }) },
	},
	"bad-checksum": {
		code: "bad_response",
		hintNames: /Try again/,
		isMidStream: true,
		bedrock: { streamed: replyWithFault({ kind: "corrupt", after: 4 }) },
	},
	"error-in-stream": {
		code: "overloaded",
		hintNames: /Try again/,
		isMidStream: true,
		"openai-compatible": {
			streamed: toEventStream(
				sse(chunk("The office "), { error: { message: MARKER, type: "server_error" } }),
			),
		},
		bedrock: {
			streamed: replyWithFault({
				kind: "exception",
				exception: "internalServerException",
				message: MARKER,
				after: 4,
			}),
		},
	},
	"throttled-in-stream": {
		code: "rate_limited",
		hintNames: /Try again/,
		isMidStream: true,
		bedrock: {
			streamed: replyWithFault({
				kind: "exception",
				exception: "throttlingException",
				message: MARKER,
				after: 4,
			}),
		},
	},
};

/** They end with a limit of time. */
export const SLOW_FAULTS: Readonly<Record<string, VendorFault>> = {
	silence: { code: "timeout", hintNames: /Try again/, ...forAllFormats({ kind: "silence" }) },
	"slow-start": {
		code: "timeout",
		hintNames: /Try again/,
		...forAllFormats({ kind: "reply", text: MARKER, delayMs: 4000 }),
	},
	stall: {
		code: "timeout",
		hintNames: /Try again/,
		isMidStream: true,
		"openai-compatible": {
			whole: truncatedBody("keep-alive"),
			streamed: replyWithFault({ kind: "stall", after: 4 }),
		},
		bedrock: { whole: truncatedBody("keep-alive"), streamed: replyWithFault({ kind: "stall", after: 4 }) },
	},
};

const HUGE_ANSWER = { kind: "raw", body: BODY_START + "x".repeat(HUGE_BYTES) } as const;
const KEEP_ALIVES = `: ${"x".repeat(1_000_000)}\n\n`.repeat(HUGE_BYTES / 1_000_000);

/** They end with a limit of length. The gate's is the reader's, and whichever sees it first tells of it. */
export const HUGE_FAULTS: Readonly<Record<string, VendorFault>> = {
	"huge-answer": {
		code: /^(bad_response|stream_truncated|response_too_large)$/,
		hintNames: /./,
		"openai-compatible": { whole: HUGE_ANSWER },
		bedrock: { whole: HUGE_ANSWER },
	},
	"endless-stream": {
		code: /^(bad_response|stream_truncated|response_too_large)$/,
		hintNames: /./,
		"openai-compatible": { streamed: toEventStream(KEEP_ALIVES) },
	},
	"huge-frame": {
		code: "bad_response",
		hintNames: /./,
		isMidStream: true,
		bedrock: { streamed: replyWithFault({ kind: "claim", bytes: HUGE_BYTES, after: 4 }) },
	},
};

/** Nobody is there to fail. */
export const UNREACHABLE: Readonly<Record<string, VendorFault>> = {
	absent: { code: "unreachable", attempts: 3, hintNames: "address" },
};
