import { StemmaError } from "./errors";

/** One event of an event stream, as the standard dispatches it. */
export interface SseEvent {
	/** The `event` field, or `message`. */
	readonly event: string;
	/** The `data` fields, joined by line feeds. */
	readonly data: string;
	/** The last `id` seen so far, in this event or before it. */
	readonly lastEventId: string;
}

export interface SseReaderOptions {
	/** The longest line and the longest data of one event, in UTF-16 code units. Default 16 Mi. */
	readonly maxEventLength?: number;
}

/** A push parser for one response body. Events that the end of the stream cuts off are never dispatched. */
export interface SseReader {
	/**
	 * The events that this piece of the body completes. Bytes and text may be cut anywhere; bytes need a `TextDecoder`.
	 *
	 * @throws StemmaError `sse_event_too_large` when one event is longer than `maxEventLength`.
	 */
	push(chunk: Uint8Array | string): SseEvent[];
	/** The id to send as `Last-Event-ID` when reconnecting; empty for none. */
	readonly lastEventId: string;
	/** The server's wish for the delay before reconnecting, in milliseconds. */
	readonly retryMs: number | undefined;
}

const DEFAULT_MAX_EVENT_LENGTH = 16 * 1024 * 1024;
/** As many bytes wait for the end of their line; decoding each small piece for itself costs more than all the rest. */
const MOST_WAITING = 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Reads `text/event-stream`, exactly as the HTML standard says (section 9.2, "Parsing an event stream" and
 * "Interpreting an event stream"). Time is linear in the length of the body, however it is cut.
 */
export function createSseReader({
	maxEventLength = DEFAULT_MAX_EVENT_LENGTH,
}: SseReaderOptions = {}): SseReader {
	const reader = { push, lastEventId: "", retryMs: undefined as number | undefined };
	let decoder: TextDecoder | undefined;
	const waiting = new Uint8Array(Math.min(MOST_WAITING, maxEventLength));
	let waitingLength = 0;
	/** What does not count if the text goes on with it: the byte order mark, and the rest of a CR LF that was cut in two. */
	let skipped = "\uFEFF";
	let line = "";
	let data: string | undefined;
	let eventType = "";
	let idBuffer = "";

	function decode(bytes: Uint8Array): string {
		decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
		return decoder.decode(bytes, { stream: true });
	}

	function decodeWaiting(): string {
		const text = waitingLength === 0 ? "" : decode(waiting.subarray(0, waitingLength));
		waitingLength = 0;
		return text;
	}

	function readBytes(chunk: Uint8Array): string {
		if (waitingLength + chunk.length > waiting.length) return decodeWaiting() + decode(chunk);
		waiting.set(chunk, waitingLength);
		waitingLength += chunk.length;
		return chunk.includes(LINE_FEED) || chunk.includes(CARRIAGE_RETURN) ? decodeWaiting() : "";
	}

	function demandRoom(length: number): void {
		if (length > maxEventLength)
			throw new StemmaError(`The stream sent an event longer than ${maxEventLength} characters.`, {
				code: "sse_event_too_large",
			});
	}

	function extendLine(text: string): void {
		line += text;
		demandRoom(line.length);
	}

	function extendData(value: string): void {
		data = data === undefined ? value : `${data}\n${value}`;
		demandRoom(data.length + 1);
	}

	function readField(): void {
		const colon = line.indexOf(":");
		if (colon === 0) return;
		const name = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
		if (name === "data") extendData(value);
		else if (name === "event") eventType = value;
		else if (name === "id" && !value.includes("\0")) idBuffer = value;
		else if (name === "retry" && /^\d+$/.test(value)) reader.retryMs = Number(value);
	}

	function dispatch(events: SseEvent[]): void {
		reader.lastEventId = idBuffer;
		if (data !== undefined) events.push({ event: eventType || "message", data, lastEventId: idBuffer });
		data = undefined;
		eventType = "";
	}

	function push(chunk: Uint8Array | string): SseEvent[] {
		const decoded = typeof chunk === "string" ? decodeWaiting() + chunk : readBytes(chunk);
		const events: SseEvent[] = [];
		if (decoded === "") return events;
		const raw = decoded.startsWith(skipped) ? decoded.slice(skipped.length) : decoded;
		skipped = raw.endsWith("\r") ? "\n" : "";
		const text = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
		let from = 0;
		for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
			extendLine(text.slice(from, end));
			if (line === "") dispatch(events);
			else readField();
			line = "";
			from = end + 1;
		}
		extendLine(text.slice(from));
		return events;
	}

	return reader;
}
