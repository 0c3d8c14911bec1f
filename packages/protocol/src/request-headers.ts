import { DomainError } from "./domain-error";

const PLAIN_ID = /^[A-Za-z0-9._-]{1,100}$/;

/** Reads the caller's request id if it is plain enough to be logged as it is; otherwise creates one. */
export const readRequestId = (header: string | undefined, createRequestId: () => string): string =>
	header !== undefined && PLAIN_ID.test(header) ? header : createRequestId();

/** Maximum hops between services and runtimes; more are a loop. */
const MAX_HOPS = 8;

/** Hops that a request has behind it, by its header `stemma-depth`. @throws DomainError `agent_loop` above 8. */
export function readDepth(header: string | undefined): number {
	return header === undefined ? 0 : assertDepth(readWholeNumber("stemma-depth", header, 999_999_999));
}

/** @throws DomainError `agent_loop` */
export function assertDepth(depth: number): number {
	if (depth <= MAX_HOPS) return depth;
	throw agentLoop();
}

export const agentLoop = (): DomainError =>
	new DomainError("agent_loop", `This request came through more than ${MAX_HOPS} services and runtimes.`, {
		hint: "Agents seem to call one another in a circle: look where each of them leads.",
	});

const MAX_KEY_CHARACTERS = 200;
const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${MAX_KEY_CHARACTERS}}$`);

/** Checks the header `Idempotency-Key`. @throws DomainError for one that cannot be a key. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
	if (header === undefined || PRINTABLE.test(header)) return header;
	throw new DomainError(
		"invalid_request",
		`Idempotency-Key must be 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters.`,
		{ param: "idempotency-key" },
	);
}

/** Checks by the header `Accept` whether the client would rather have events than one response. */
export const acceptsEvents = (header: string | undefined): boolean =>
	(header ?? "").split(",").some((range) => {
		const [type = "", ...parameters] = range.toLowerCase().split(";");
		return type.trim() === "text/event-stream" && !parameters.some((text) => /^\s*q=0(\.0*)?\s*$/.test(text));
	});

/** The seq of the last event that the client has: `Last-Event-ID`, as browsers reconnect, else `?after=`, else 0. */
export const readAfter = (lastEventId: string | undefined, after: string | null | undefined): number =>
	lastEventId
		? readWholeNumber("last-event-id", lastEventId, Number.MAX_SAFE_INTEGER)
		: readWholeNumber("after", after ?? "0", Number.MAX_SAFE_INTEGER);

const MAX_POLL_WAIT_MS = 25_000;

/** Maximum time that a long poll may wait, in milliseconds, by `?wait_ms=`; default 0. */
export const readWaitMs = (text: string | null | undefined): number =>
	readWholeNumber("wait_ms", text ?? "0", MAX_POLL_WAIT_MS);

function readWholeNumber(param: string, text: string, max: number): number {
	if (/^\d{1,16}$/.test(text) && Number(text) <= max) return Number(text);
	throw new DomainError("invalid_request", `"${param}" must be a whole number from 0 to ${max}.`, { param });
}
