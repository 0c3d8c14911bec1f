import { onAbort } from "@stemma/protocol";
import { DomainError } from "../errors/domain-error";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import { watchSession } from "./auth/session-caller";
import { selectRange } from "./byte-range";
import type { ServiceContext } from "./service-context";

/** Bytes to respond with, which are read piece by piece. */
export interface ByteSource {
	/** Size in bytes. */
	readonly size: number;
	/** Strong entity tag, without its quotes. */
	readonly tag: string;
	/** Reads from a position before the end on: at least one byte, and as many as fit into memory well. */
	read(position: number): Promise<Uint8Array>;
}

/** Headers that keep a browser from running what a user uploaded, whatever it is. */
const SAFE_HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; sandbox",
	"cache-control": "private, no-cache",
};

/**
 * Responds with bytes, or with the part that `Range` asks for, and to `If-None-Match` and `If-Range`.
 *
 * @param headers - `content-type` and what else describes the bytes.
 * @throws DomainError `range_not_satisfiable`
 */
export async function respondWithBytes(
	context: ServiceContext,
	source: ByteSource,
	headers: Readonly<Record<string, string>>,
): Promise<Response> {
	const { req } = context;
	const etag = `"${source.tag}"`;
	const conditions = {
		range: req.header("range"),
		ifRange: req.header("if-range"),
		ifNoneMatch: req.header("if-none-match"),
	};
	const selected = selectRange(conditions, etag, source.size);
	const common = { etag, "accept-ranges": "bytes", ...SAFE_HEADERS };
	if (selected.kind === "unmodified") return context.body(null, 304, common);
	if (selected.kind === "unsatisfiable") {
		context.header("content-range", `bytes */${source.size}`);
		throw rangeNotSatisfiable(source.size);
	}
	const { start, end } = selected.kind === "part" ? selected : { start: 0, end: source.size };
	const described = { ...common, ...headers, "content-length": String(end - start) };
	const isEmpty = req.method === "HEAD" || start === end;
	const body = isEmpty ? new ArrayBuffer(0) : await openBody(context, source, start, end);
	if (selected.kind === "whole") return context.body(body, 200, described);
	return context.body(body, 206, {
		...described,
		"content-range": `bytes ${start}-${end - 1}/${source.size}`,
	});
}

const rangeNotSatisfiable = (size: number): DomainError =>
	new DomainError(
		"range_not_satisfiable",
		`There are no such bytes: there are ${size.toLocaleString("en")}.`,
		{
			hint: "Ask for bytes that exist, as in `Range: bytes=0-999`, or leave `Range` out.",
			details: { size },
		},
	);

/** Opens the body of a response. The first piece is read at once: an error of the store still has a status of its own. */
async function openBody(
	context: ServiceContext,
	source: ByteSource,
	start: number,
	end: number,
): Promise<ArrayBuffer | ReadableStream<Uint8Array>> {
	const first = await readUntil(source, start, end);
	if (first.byteLength === end - start) return new Uint8Array(first).buffer;
	return toStream(context, source, first, { position: start + first.byteLength, end });
}

/** Reads from a position on, and nothing behind the end. */
async function readUntil(source: ByteSource, position: number, end: number): Promise<Uint8Array> {
	return (await source.read(position)).subarray(0, end - position);
}

/** Streams the first piece, and the others as they are asked for. It counts as a request until its end. */
function toStream(
	context: ServiceContext,
	source: ByteSource,
	first: Uint8Array,
	{ position, end }: { position: number; readonly end: number },
): ReadableStream<Uint8Array> {
	const { inFlight } = context.get("kernel");
	const { inFlight: workspaceInFlight, requests } = context.get("workspace");
	const leave = joinInFlightCounters(inFlight, workspaceInFlight).enter();
	const leaveSlot = requests.enter(context.get("caller"));
	const closeSpan = context.get("span")?.keepOpen();
	let isOpen = true;
	function finish(): void {
		if (!isOpen) return;
		isOpen = false;
		leave();
		leaveSlot();
		closeSpan?.();
		ignoreSession();
	}
	let stop: ((error: Error) => void) | undefined;
	const ignoreSession = watchSession(context, () => {
		finish();
		stop?.(new Error("The session has ended."));
	});
	onAbort(context.req.raw.signal, finish);
	return new ReadableStream(
		{
			start(controller) {
				controller.enqueue(first);
				stop = (error) => controller.error(error);
			},
			async pull(controller) {
				try {
					const piece = await readUntil(source, position, end);
					if (!isOpen) return;
					position += piece.byteLength;
					controller.enqueue(piece);
					if (position < end) return;
					finish();
					controller.close();
				} catch (error) {
					finish();
					// Broken off, so that no client takes it for the whole.
					controller.error(error);
				}
			},
			cancel: finish,
		},
		{ highWaterMark: 0 },
	);
}
