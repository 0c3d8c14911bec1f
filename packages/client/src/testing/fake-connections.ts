import { abortReason } from "@stemma/core/internal";
import type { BodyReader, FetchResponse } from "../http/platform";
import type { EventStreamResponse, FakeResponse, JsonResponse, NumberedEvent } from "./fake-response";

/** The event streams that are open, so that they can be cut. */
export class FakeConnections {
	readonly #open = new Set<() => void>();
	#disconnectNextAfter: number | undefined;

	/**
	 * Converts a fake response to the one that `fetch` returns.
	 *
	 * @throws TypeError where there is no connection.
	 */
	toResponse(response: FakeResponse, requestId: string, signal: AbortSignal): FetchResponse {
		if (response.kind === "no_connection") throw new TypeError("A test wanted no connection");
		if (response.kind === "json") return toJsonResponse(response, requestId);
		const disconnectAfter = this.#disconnectNextAfter;
		this.#disconnectNextAfter = undefined;
		const reader = createReader(response, { signal, open: this.#open, disconnectAfter });
		return {
			...toHead(200, { "content-type": "text/event-stream", "x-request-id": requestId }),
			body: { getReader: () => reader },
			text: () => readAll(reader),
		};
	}

	/** Cuts the streams that are open. With none, or with `afterEvents`, the next one, after so many events. */
	drop(afterEvents?: number): void {
		if (this.#open.size === 0 || afterEvents !== undefined) this.#disconnectNextAfter = afterEvents ?? 1;
		else for (const disconnect of [...this.#open]) disconnect();
	}
}

interface ReaderOptions {
	readonly signal: AbortSignal;
	/** Functions that cut the open streams. */
	readonly open: Set<() => void>;
	readonly disconnectAfter: number | undefined;
}

/** One event a piece, each as soon as it is there. */
function createReader(
	response: EventStreamResponse,
	{ signal, open, disconnectAfter }: ReaderOptions,
): BodyReader {
	let count = 0;
	let abortRead = (_: unknown): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		abortRead = reject;
	});
	aborted.catch(() => undefined);
	const disconnect = (): void => close(new TypeError("A test cut the connection"));
	const onAbort = (): void => close(abortReason(signal));

	function close(error: unknown): void {
		open.delete(disconnect);
		signal.removeEventListener("abort", onAbort);
		abortRead(error);
		response.onClose?.();
	}

	open.add(disconnect);
	signal.addEventListener("abort", onAbort);
	if (signal.aborted) onAbort();

	return {
		async read() {
			if (disconnectAfter !== undefined && count >= disconnectAfter) disconnect();
			const event = await Promise.race([aborted, response.next()]);
			count += 1;
			if (event !== undefined) return { done: false, value: toSseChunk(event) };
			close(new TypeError("The stream has ended"));
			return { done: true };
		},
		async cancel() {
			close(new TypeError("The stream was cancelled"));
		},
	};
}

/** Text instead of bytes: jsdom, as Jest runs it, has neither `TextEncoder` nor `TextDecoder`. */
const toSseChunk = ({ seq, type, ...event }: NumberedEvent): string =>
	`id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, ...event })}\n\n`;

async function readAll(reader: BodyReader): Promise<string> {
	let text = "";
	for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;
	return text;
}

function toJsonResponse({ status, body, headers }: JsonResponse, requestId: string): FetchResponse {
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
