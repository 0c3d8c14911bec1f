import { ConfigurationError, StemmaError } from "./errors";

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
	/** The most that is kept of one event: its data so far and the line being read, in UTF-16 code units. Default 16 Mi. */
	readonly maxEventLength?: number;
}

/** A push parser for one response body. Events that the end of the stream cuts off are never dispatched. */
export interface SseReader {
	/**
	 * The events that this piece of the body completes. All pieces are bytes, which need a `TextDecoder`, or all are text;
	 * both may be cut anywhere.
	 *
	 * @throws StemmaError `sse_event_too_large` when one event is longer than `maxEventLength`; ConfigurationError for bytes
	 * where there is no `TextDecoder`.
	 */
	push(chunk: Uint8Array | string): SseEvent[];
	/** The id to send as `Last-Event-ID` when reconnecting; empty for none. */
	readonly lastEventId: string;
	/** The server's wish for the delay before reconnecting, in milliseconds. */
	readonly retryMs: number | undefined;
}

const DEFAULT_MAX_EVENT_LENGTH = 16 * 1024 * 1024;
/**
 * Bytes that are buffered until the end of their line: decoding each small piece on its own costs more than all the
 * rest.
 */
const MAX_BUFFERED_BYTES = 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const STREAM = { stream: true };

/**
 * Reads `text/event-stream`, exactly as the HTML standard says (section 9.2, "Parsing an event stream" and
 * "Interpreting an event stream"). Time is linear in the length of the body, however it is cut.
 */
export const createSseReader = ({
	maxEventLength = DEFAULT_MAX_EVENT_LENGTH,
}: SseReaderOptions = {}): SseReader => new SseParser(maxEventLength);

/** A class, as it takes less memory than closures do: many streams may be open. */
class SseParser implements SseReader {
	lastEventId = "";
	retryMs: number | undefined;
	readonly #maxEventLength: number;
	/**
	 * Characters that are ignored if the text continues with them: the byte order mark, or the rest of a CR LF that was
	 * cut in two.
	 */
	#ignoredPrefix = "\uFEFF";
	#line = "";
	/** Undefined before its first line. */
	#data: string | undefined;
	#event = "";
	#id = "";
	/** Bytes that wait; most streams come in whole lines, and need none. */
	#buffer: Uint8Array | undefined;
	#bufferedBytes = 0;
	#decoder: TextDecoder | undefined;

	constructor(maxEventLength: number) {
		this.#maxEventLength = maxEventLength;
	}

	push(chunk: Uint8Array | string): SseEvent[] {
		const events: SseEvent[] = [];
		let text = typeof chunk === "string" ? chunk : this.#decode(chunk);
		if (text === "") return events;
		if (text.startsWith(this.#ignoredPrefix)) text = text.slice(this.#ignoredPrefix.length);
		this.#ignoredPrefix = text.endsWith("\r") ? "\n" : "";
		if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
		for (let from = 0, end = 0; end >= 0; from = end + 1) {
			end = text.indexOf("\n", from);
			const line = this.#line + text.slice(from, end < 0 ? undefined : end);
			if (line.length + (this.#data ?? "").length > this.#maxEventLength)
				throw new StemmaError(`The stream sent an event longer than ${this.#maxEventLength} characters.`, {
					code: "sse_event_too_large",
				});
			this.#line = end < 0 ? line : "";
			if (end < 0) break;
			if (line === "") this.#dispatch(events);
			else this.#readField(line);
		}
		return events;
	}

	#readField(line: string): void {
		const colon = line.indexOf(":");
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = line.slice(name.length + (line[name.length + 1] === " " ? 2 : 1));
		if (name === "data") this.#data = this.#data?.concat("\n", value) ?? value;
		else if (name === "event") this.#event = value;
		else if (name === "id" && !value.includes("\0")) this.#id = value;
		else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
	}

	#dispatch(events: SseEvent[]): void {
		this.lastEventId = this.#id;
		if (this.#data !== undefined)
			events.push({ event: this.#event || "message", data: this.#data, lastEventId: this.#id });
		this.#data = undefined;
		this.#event = "";
	}

	/** UTF-8, cut anywhere. */
	#decode(bytes: Uint8Array): string {
		const isWhole = bytes.includes(LINE_FEED) || bytes.includes(CARRIAGE_RETURN);
		if (isWhole || this.#bufferedBytes + bytes.length > MAX_BUFFERED_BYTES) {
			this.#decoder ??= createTextDecoder();
			const text =
				this.#bufferedBytes > 0
					? this.#decoder.decode(this.#buffer?.subarray(0, this.#bufferedBytes), STREAM)
					: "";
			this.#bufferedBytes = 0;
			return text + this.#decoder.decode(bytes, STREAM);
		}
		this.#buffer ??= new Uint8Array(MAX_BUFFERED_BYTES);
		this.#buffer.set(bytes, this.#bufferedBytes);
		this.#bufferedBytes += bytes.length;
		return "";
	}
}

function createTextDecoder(): TextDecoder {
	if (typeof TextDecoder === "function") return new TextDecoder("utf-8", { ignoreBOM: true });
	throw new ConfigurationError("`TextDecoder` is missing.", { hint: "Leave out the option `fetch`." });
}
