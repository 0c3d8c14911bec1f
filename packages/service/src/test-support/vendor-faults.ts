import type { Behaviour as BedrockBehaviour } from "../../../../tools/simulators/bedrock/behaviour.ts";
import type { Behaviour as OpenAiBehaviour } from "../../../../tools/simulators/openai/behaviour.ts";

export type VendorFormat = "openai-compatible" | "bedrock";

/** One way in which a vendor fails, and what its callers are told. */
export interface VendorFault {
	/** More than one where it is seen from two places. */
	readonly code: string | RegExp;
	/** How often it is tried. Default 1. */
	readonly attempts?: number;
	/** Refused at the door, which takes no tokens: there is nothing to estimate. */
	readonly isFree?: true;
	/** What a hint must name: the key or the address of whoever pays, or words. */
	readonly names: "key" | "address" | RegExp;
	/** Seconds. */
	readonly retryAfter?: number;
	/** Comes after the first words of a stream. */
	readonly isLate?: true;
	readonly "openai-compatible"?: Ways<OpenAiBehaviour>;
	readonly bedrock?: Ways<BedrockBehaviour>;
}

/** What a vendor does; left out where it cannot. */
interface Ways<Behaviour> {
	/** Asked for an answer in one piece. */
	readonly whole?: Behaviour;
	readonly streamed?: Behaviour;
}

/** In each body of a vendor that fails, and nowhere else. */
export const MARKER = "the-vendor-s-own-words-8c1f5e2d";

const HUGE_BYTES = 100_000_000;

/** What both simulators know. */
type SharedBehaviour = OpenAiBehaviour & BedrockBehaviour;

function everywhere(behaviour: SharedBehaviour): Pick<VendorFault, VendorFormat> {
	const ways = { whole: behaviour, streamed: behaviour };
	return { "openai-compatible": ways, bedrock: ways };
}

const refuse = (status: number, headers: Readonly<Record<string, string>> = {}) =>
	everywhere({ kind: "failure", status, headers, message: `Failed: ${MARKER}` });
const raw = (body: string, headers: Readonly<Record<string, string>> = {}, status = 200) =>
	everywhere({ kind: "raw", status, headers, body });

const HTML = `<!doctype html><title>Bad gateway</title><p>${MARKER}</p>`;
/** An answer of which more is promised than comes. */
const BEGINNING = `{"choices":[{"message":{"content":"${MARKER}`;
const promised = (connection: "close" | "keep-alive") =>
	({ kind: "raw", headers: { "content-length": "5000", connection }, body: BEGINNING }) as const;

/** Text that has nothing to do with how its stream ends. */
const TEXT = "The office opens at nine, and it closes at five, on every day of the week but on Sundays.";
const spoiled = <Fault>(fault: Fault) => ({ kind: "reply", text: TEXT, fault }) as const;

const sse = (...events: readonly object[]): string =>
	events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const chunk = (content: string): object => ({
	id: "chatcmpl-1",
	object: "chat.completion.chunk",
	created: 0,
	model: "any",
	choices: [{ index: 0, delta: { content }, finish_reason: null }],
});
const asStream = (body: string) =>
	({ kind: "raw", headers: { "content-type": "text/event-stream" }, body }) as const;

/** By their names, which models have here: whoever asks for one gets the fault. */
export const FAULTS: Readonly<Record<string, VendorFault>> = {
	"status-401": { code: "invalid_credential", isFree: true, names: "key", ...refuse(401) },
	"status-403": {
		code: "permission",
		isFree: true,
		names: /`(model|api_key|credential)`/,
		...refuse(403),
	},
	"status-404": {
		code: "model_not_found",
		isFree: true,
		names: /`model`/,
		...everywhere({ kind: "failure", status: 404, message: `The model ${MARKER} does not exist.` }),
	},
	"status-404-html": {
		code: "bad_response",
		isFree: true,
		names: "address",
		...raw(HTML, { "content-type": "text/html" }, 404),
	},
	"status-408": { code: "timeout", names: /Try again/, ...refuse(408) },
	"status-429-soon": { code: "rate_limited", attempts: 3, isFree: true, names: /Try again/, ...refuse(429) },
	"status-429-later": {
		code: "rate_limited",
		isFree: true,
		names: /Try again in 40 s/,
		retryAfter: 40,
		...refuse(429, { "retry-after": "40" }),
	},
	"status-500": { code: "overloaded", attempts: 3, names: /Try again/, ...refuse(500) },
	"status-503": {
		code: "overloaded",
		names: /Try again in 90 s/,
		retryAfter: 90,
		...refuse(503, { "retry-after": "90" }),
	},
	"status-999": {
		code: /^(bad_response|overloaded)$/,
		names: /address|Try again/,
		...raw(MARKER, {}, 999),
	},
	redirect: {
		code: "bad_response",
		names: "address",
		...raw(MARKER, { location: `http://127.0.0.1:9/${MARKER}` }, 307),
	},
	html: { code: "bad_response", names: "address", ...raw(HTML, { "content-type": "text/html" }) },
	"odd-type": {
		code: /^(bad_response|stream_truncated|response_too_large)$/,
		names: /./,
		...raw(MARKER, { "content-type": "text/plain" }),
	},
	"no-body": { code: "bad_response", names: "address", ...raw("") },
	"half-json": { code: "bad_response", names: "address", ...raw(BEGINNING) },
	reset: {
		code: "stream_truncated",
		names: /Try again/,
		isLate: true,
		"openai-compatible": { whole: promised("close"), streamed: spoiled({ kind: "cut", after: 4 }) },
		bedrock: { whole: promised("close"), streamed: spoiled({ kind: "cut", after: 4 }) },
	},
	truncated: {
		code: "stream_truncated",
		names: /Try again/,
		isLate: true,
		"openai-compatible": { streamed: spoiled({ kind: "end", after: 4 }) },
		bedrock: { streamed: spoiled({ kind: "truncate", after: 4 }) },
	},
	"ended-early": {
		code: "stream_truncated",
		names: /Try again/,
		isLate: true,
		bedrock: { streamed: spoiled({ kind: "end", after: 4 }) },
	},
	"bad-checksum": {
		code: "bad_response",
		names: /Try again/,
		isLate: true,
		bedrock: { streamed: spoiled({ kind: "corrupt", after: 4 }) },
	},
	"error-in-stream": {
		code: "overloaded",
		names: /Try again/,
		isLate: true,
		"openai-compatible": {
			streamed: asStream(sse(chunk("The office "), { error: { message: MARKER, type: "server_error" } })),
		},
		bedrock: {
			streamed: spoiled({
				kind: "exception",
				exception: "internalServerException",
				message: MARKER,
				after: 4,
			}),
		},
	},
	"throttled-in-stream": {
		code: "rate_limited",
		names: /Try again/,
		isLate: true,
		bedrock: {
			streamed: spoiled({ kind: "exception", exception: "throttlingException", message: MARKER, after: 4 }),
		},
	},
};

/** They end with a limit of time. */
export const SLOW_FAULTS: Readonly<Record<string, VendorFault>> = {
	silence: { code: "timeout", names: /Try again/, ...everywhere({ kind: "silence" }) },
	"slow-start": {
		code: "timeout",
		names: /Try again/,
		...everywhere({ kind: "reply", text: MARKER, delayMs: 4000 }),
	},
	stall: {
		code: "timeout",
		names: /Try again/,
		isLate: true,
		"openai-compatible": { whole: promised("keep-alive"), streamed: spoiled({ kind: "stall", after: 4 }) },
		bedrock: { whole: promised("keep-alive"), streamed: spoiled({ kind: "stall", after: 4 }) },
	},
};

const HUGE_ANSWER = { kind: "raw", body: BEGINNING + "x".repeat(HUGE_BYTES) } as const;
const KEEP_ALIVES = `: ${"x".repeat(1_000_000)}\n\n`.repeat(HUGE_BYTES / 1_000_000);

/** They end with a limit of length. The gate's is the reader's, and whichever sees it first tells of it. */
export const HUGE_FAULTS: Readonly<Record<string, VendorFault>> = {
	"huge-answer": {
		code: /^(bad_response|stream_truncated|response_too_large)$/,
		names: /./,
		"openai-compatible": { whole: HUGE_ANSWER },
		bedrock: { whole: HUGE_ANSWER },
	},
	"endless-stream": {
		code: /^(bad_response|stream_truncated|response_too_large)$/,
		names: /./,
		"openai-compatible": { streamed: asStream(KEEP_ALIVES) },
	},
	"huge-frame": {
		code: "bad_response",
		names: /./,
		isLate: true,
		bedrock: { streamed: spoiled({ kind: "claim", bytes: HUGE_BYTES, after: 4 }) },
	},
};

/** Nobody is there to fail. */
export const ABSENCE: Readonly<Record<string, VendorFault>> = {
	absent: { code: "unreachable", attempts: 3, names: "address" },
};
