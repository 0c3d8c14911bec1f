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
	/** The most that is kept of one event: its data so far and the line being read, in UTF-16 code units. Default 16 Mi. */
	readonly maxEventLength?: number;
}

/** A push parser for one response body. Events that the end of the stream cuts off are never dispatched. */
export interface SseReader {
	/**
	 * The events that this piece of the body completes. All pieces are bytes, which need a `TextDecoder`, or all are text;
	 * both may be cut anywhere.
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
/** As many bytes wait for the end of their line: decoding each small piece for itself costs more than all the rest. */
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
	const decode = createDecoder();
	/** What does not count if the text goes on with it: the byte order mark, and the rest of a CR LF that was cut in two. */
	let skipped = "\uFEFF";
	let line = "";
	/** Each line of it with its line feed. */
	let data = "";
	let event = "";
	let id = "";

	function readField(): void {
		const colon = line.indexOf(":");
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = line.slice(name.length + (line[name.length + 1] === " " ? 2 : 1));
		if (name === "data") data += `${value}\n`;
		else if (name === "event") event = value;
		else if (name === "id" && !value.includes("\0")) id = value;
		else if (name === "retry" && /^\d+$/.test(value)) reader.retryMs = Number(value);
	}

	function dispatch(events: SseEvent[]): void {
		reader.lastEventId = id;
		if (data !== "") events.push({ event: event || "message", data: data.slice(0, -1), lastEventId: id });
		data = event = "";
	}

	function push(chunk: Uint8Array | string): SseEvent[] {
		const events: SseEvent[] = [];
		let text = typeof chunk === "string" ? chunk : decode(chunk);
		if (text === "") return events;
		if (text.startsWith(skipped)) text = text.slice(skipped.length);
		skipped = text.endsWith("\r") ? "\n" : "";
		text = text.replace(/\r\n?/g, "\n");
		for (let from = 0, end = 0; end >= 0; from = end + 1) {
			end = text.indexOf("\n", from);
			line += text.slice(from, end < 0 ? undefined : end);
			if (line.length + data.length > maxEventLength)
				throw new StemmaError(`The stream sent an event longer than \`maxEventLength\`, ${maxEventLength}.`, {
					code: "sse_event_too_large",
				});
			if (end < 0) break;
			if (line === "") dispatch(events);
			else readField();
			line = "";
		}
		return events;
	}

	return reader;
}

/** UTF-8, cut anywhere. */
function createDecoder(): (bytes: Uint8Array) => string {
	const waiting = new Uint8Array(MOST_WAITING);
	let count = 0;
	let decoder: TextDecoder | undefined;
	return (bytes) => {
		if (count + bytes.length > MOST_WAITING || bytes.includes(LINE_FEED) || bytes.includes(CARRIAGE_RETURN)) {
			decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
			const text = decoder.decode(waiting.subarray(0, count), { stream: true });
			count = 0;
			return text + decoder.decode(bytes, { stream: true });
		}
		waiting.set(bytes, count);
		count += bytes.length;
		return "";
	};
}
