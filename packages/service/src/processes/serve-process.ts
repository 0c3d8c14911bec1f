import { Socket } from "node:net";
import { setPriority } from "node:os";
import { deserialize, serialize } from "node:v8";
import { endWithParent } from "./end-with-parent";
import { createFrameReader, toFrameHeader } from "./frames";
import { CHANNEL_DESCRIPTOR, type ProcessInput, type ProcessMessage } from "./process-message";
import { canReadProcessUsage } from "./process-usage";

/** Steps of priority ("nice") below the process that answers. */
const PRIORITY = 10;

/**
 * Serves the tasks of a process queue, in the process that this is called in, which lets the service go first and ends with
 * it.
 *
 * @param perform - gives pieces of its output as it goes.
 */
export function serveProcess<Head, Piece, Output>(
	perform: (input: ProcessInput<Head>, emit: (piece: Piece) => void) => Promise<Output>,
): void {
	endWithParent();
	ignoreSignals();
	ignoreStrayRejections();
	lowerPriority();
	const socket = new Socket({ fd: CHANNEL_DESCRIPTOR });
	const send = (message: ProcessMessage<Piece, Output>): void => {
		const payload = serialize(message);
		// What is sent in one turn goes in one write.
		socket.cork();
		socket.write(toFrameHeader(payload.length));
		socket.write(payload);
		process.nextTick(() => socket.uncork());
	};
	let head: { readonly value: Head } | undefined;
	const frames = createFrameReader(async (payload) => {
		if (head === undefined) {
			head = { value: deserialize(payload) };
			return;
		}
		const input = { head: head.value, bytes: payload };
		head = undefined;
		const output = await perform(input, (piece) => send({ type: "piece", piece }));
		send({ type: "output", output, residentBytes: process.memoryUsage.rss() });
	});
	const end = (): void => process.exit(0);
	socket.on("data", frames.push).on("error", end).on("close", end);
	send({ type: "ready" });
}

/** Ignores the signals that end a service, which often go to all of its processes at once: the document that is being read is finished. */
function ignoreSignals(): void {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
}

/**
 * Ignores promises that a library has left alone. PDF.js does for damaged files that it reads all the same; what a task
 * waits for reports its failure itself.
 */
function ignoreStrayRejections(): void {
	process.on("unhandledRejection", () => undefined);
}

/** Lowers the priority where limits count processor time: elsewhere, a process that waits for others would meet them. */
function lowerPriority(): void {
	if (!canReadProcessUsage) return;
	try {
		setPriority(PRIORITY);
	} catch {
		// Some sandboxes refuse it; the process works all the same.
	}
}
