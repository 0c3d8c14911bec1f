import type { ServerResponse } from "node:http";
import { clock } from "@stemma/core/internal";
import { startBackgroundTimer } from "@stemma/runs";
import { EventReader } from "../event-reader";
import type { RunEvents } from "../http-exchange";

/** Interval in milliseconds at which streams are checked for those that need a heartbeat. */
const SWEEP_MS = 1_000;

/** Open streams: one timer, and the same listeners, serve them all. */
const open = new Map<ServerResponse, NodeEventReader>();
let stopSweeping = (): void => undefined;

/** Sends the events of a run, as fast as they are read, until they end or the client goes. */
export function sendEvents(response: ServerResponse, events: RunEvents): void {
	const reader = new NodeEventReader(events, response);
	if (open.size === 0) scheduleSweep();
	open.set(response, reader);
	response.on("drain", onDrain);
	response.on("close", onClose);
	if (events.run.log.lastSeq <= events.after) response.flushHeaders();
	reader.start();
}

class NodeEventReader extends EventReader {
	readonly #response: ServerResponse;

	constructor(events: RunEvents, response: ServerResponse) {
		super(events);
		this.#response = response;
	}

	protected write(text: string): boolean {
		return this.#response.write(text);
	}

	protected end(): void {
		this.#response.end();
	}
}

function onDrain(this: ServerResponse): void {
	open.get(this)?.resume();
}

function onClose(this: ServerResponse): void {
	open.get(this)?.detach();
	open.delete(this);
	if (open.size === 0) stopSweeping();
}

/** Schedules the next sweep; repeats as long as there are open streams. */
function scheduleSweep(): void {
	stopSweeping = startBackgroundTimer(SWEEP_MS, () => {
		const now = clock.now();
		for (const reader of open.values()) reader.sendHeartbeat(now);
		scheduleSweep();
	});
}
