/** Headers of a stream of server-sent events, which no proxy may keep or gather. */
export const EVENT_STREAM_HEADERS = {
	"content-type": "text/event-stream",
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
} as const;

/** One event of a stream. */
export interface StreamEvent {
	readonly id?: string | number;
	/** Default: none, which readers take for `message`. */
	readonly event?: string;
	/** An object goes as JSON, text as it is. */
	readonly data: object | string;
}

const LINE_BREAK = /[\r\n]/;

/** Formats an event as the HTML standard specifies, section 9.2.5. */
export function formatEvent({ id, event, data }: StreamEvent): string {
	// JSON has no line breaks, and nor has most text.
	const text = typeof data === "string" ? data : JSON.stringify(data);
	const lines = LINE_BREAK.test(text) ? text.split(/\r\n|\r|\n/).join("\ndata: ") : text;
	const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
	return `${head}data: ${lines}\n\n`;
}

/** Formats an event of a run, whose JSON has no line breaks. */
export const formatRecord = (record: {
	readonly seq: number;
	readonly type: string;
	readonly json: string;
}): string => `id: ${record.seq}\nevent: ${record.type}\ndata: ${record.json}\n\n`;
