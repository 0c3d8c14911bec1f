import { abortReason } from "@stemma/core/internal";
import type { BodyReader, FetchResponse } from "../platform";
import type { EventsAnswer, FakeAnswer, JsonAnswer, NumberedEvent } from "./fake-answer";

/** The event streams that are open, so that they can be cut. */
export interface FakeConnections {
	/** What `fetch` gives for an answer. @throws TypeError where there is no connection. */
	toResponse(answer: FakeAnswer, requestId: string, signal: AbortSignal): FetchResponse;
	/**
	 * Cuts the streams that are open. With none, or with `afterEvents`, the next one, after so many events.
	 */
	drop(afterEvents?: number): void;
}

interface Connection {
	cut(): void;
}

export function createFakeConnections(): FakeConnections {
	const open = new Set<Connection>();
	let dropNextAfter: number | undefined;

	function toEventResponse(answer: EventsAnswer, requestId: string, signal: AbortSignal): FetchResponse {
		const dropAfter = dropNextAfter;
		dropNextAfter = undefined;
		const reader = createReader(answer, { signal, open, dropAfter });
		return {
			...toHead(200, { "content-type": "text/event-stream", "x-request-id": requestId }),
			body: { getReader: () => reader },
			text: () => readAll(reader),
		};
	}

	return {
		toResponse(answer, requestId, signal) {
			if (answer.kind === "no_connection") throw new TypeError("A test wanted no connection");
			if (answer.kind === "events") return toEventResponse(answer, requestId, signal);
			return toJsonResponse(answer, requestId);
		},
		drop(afterEvents) {
			if (open.size === 0 || afterEvents !== undefined) dropNextAfter = afterEvents ?? 1;
			else for (const connection of [...open]) connection.cut();
		},
	};
}

interface ReaderOptions {
	readonly signal: AbortSignal;
	readonly open: Set<Connection>;
	readonly dropAfter: number | undefined;
}

/** One event a piece, each as soon as it is there. */
function createReader(answer: EventsAnswer, { signal, open, dropAfter }: ReaderOptions): BodyReader {
	let count = 0;
	let breakOff = (_: unknown): void => undefined;
	const broken = new Promise<never>((_, reject) => {
		breakOff = reject;
	});
	broken.catch(() => undefined);
	const connection: Connection = { cut: () => close(new TypeError("A test cut the connection")) };
	const onAbort = (): void => close(abortReason(signal));

	function close(error: unknown): void {
		open.delete(connection);
		signal.removeEventListener("abort", onAbort);
		breakOff(error);
		answer.leave?.();
	}

	open.add(connection);
	signal.addEventListener("abort", onAbort);
	if (signal.aborted) onAbort();

	return {
		async read() {
			if (dropAfter !== undefined && count >= dropAfter) connection.cut();
			const event = await Promise.race([broken, answer.next()]);
			count += 1;
			if (event !== undefined) return { done: false, value: toPiece(event) };
			close(new TypeError("The stream has ended"));
			return { done: true };
		},
		async cancel() {
			close(new TypeError("The stream was cancelled"));
		},
	};
}

/** Text instead of bytes: jsdom, as Jest runs it, has neither `TextEncoder` nor `TextDecoder`. */
const toPiece = ({ seq, type, ...event }: NumberedEvent): string =>
	`id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, ...event })}\n\n`;

async function readAll(reader: BodyReader): Promise<string> {
	let text = "";
	for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
	return text;
}

function toJsonResponse({ status, body, headers }: JsonAnswer, requestId: string): FetchResponse {
	const text = JSON.stringify(body);
	return {
		...toHead(status, { "content-type": "application/json", "x-request-id": requestId, ...headers }),
		text: async () => text,
	};
}

const toHead = (status: number, headers: Readonly<Record<string, string>>) => ({
	status,
	ok: status < 300,
	headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
});
