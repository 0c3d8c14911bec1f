import { HttpError, invalidField } from "../http-error";
import type { HttpRequest } from "../http-exchange";

/** More hops than this are a loop. */
const MAX_DEPTH = 8;

/** Reads how many hops between services and runtimes the request has behind it. @throws HttpError above 8. */
export function readDepth(request: HttpRequest): number {
	const text = request.header("stemma-depth");
	if (text === undefined) return 0;
	if (!/^\d{1,9}$/.test(text)) throw invalidField("stemma-depth", "Expected a number.");
	const depth = Number(text);
	if (depth > MAX_DEPTH)
		throw new HttpError(400, `The request went through ${depth} services and runtimes.`, {
			code: "agent_loop",
			hint: "Agents that run each other form a loop; look for a manifest that leads back to itself.",
		});
	return depth;
}

const MAX_KEY_CHARACTERS = 200;
const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${MAX_KEY_CHARACTERS}}$`);

/** The request's key, if it has one. */
export function readIdempotencyKey(request: HttpRequest): string | undefined {
	const key = request.header("idempotency-key");
	if (key === undefined) return undefined;
	if (!PRINTABLE.test(key))
		throw invalidField("idempotency-key", "Expected 1 to 200 printable ASCII characters.");
	return key;
}

/** True when the client would rather have events than one answer. */
export const acceptsEvents = (request: HttpRequest): boolean =>
	(request.header("accept") ?? "").split(",").some((range) => {
		const [type = "", ...parameters] = range.toLowerCase().split(";");
		return type.trim() === "text/event-stream" && !parameters.some((text) => /^\s*q=0(\.0*)?\s*$/.test(text));
	});

/** The number of the last event that the client has: `Last-Event-ID`, else `?after=`, else 0. */
export function readAfter(request: HttpRequest): number {
	const lastEventId = request.header("last-event-id");
	if (lastEventId !== undefined && lastEventId !== "")
		return readNumber("last-event-id", lastEventId, Number.MAX_SAFE_INTEGER);
	return readNumber("after", readQuery(request, "after") ?? "0", Number.MAX_SAFE_INTEGER);
}

/** Reads the longest time that a long poll may wait, in milliseconds; at most 25,000, default 0. */
export const readWaitMs = (request: HttpRequest): number =>
	readNumber("wait_ms", readQuery(request, "wait_ms") ?? "0", 25_000);

const readQuery = ({ query }: HttpRequest, name: string): string | null =>
	query === "" ? null : new URLSearchParams(query).get(name);

function readNumber(name: string, text: string, max: number): number {
	if (!/^\d{1,16}$/.test(text) || Number(text) > max)
		throw invalidField(name, `Expected a whole number from 0 to ${max}.`);
	return Number(text);
}
