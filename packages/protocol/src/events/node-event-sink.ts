import type { ServerResponse } from "node:http";
import { clock, startBackgroundTimer } from "@stemma/core/internal";
import { EventSink, type EventSource } from "./event-sink";

/** Interval in milliseconds at which streams are checked for those that need a heartbeat. */
const SWEEP_MS = 1_000;

/** Open streams: one timer, and the same listeners, serve them all. */
const open = new Map<ServerResponse, NodeEventSink>();
let stopSweeping = (): void => undefined;

/** Stream of events as a response of Node, whose head has been written. It takes as much as its socket does. */
export class NodeEventSink extends EventSink {
	readonly #response: ServerResponse;

	constructor(response: ServerResponse) {
		super();
		this.#response = response;
	}

	override start(source: EventSource): void {
		super.start(source);
		if (open.size === 0) scheduleSweep();
		open.set(this.#response, this);
		this.#response.on("drain", onDrain);
		this.#response.on("close", onClose);
		this.drain();
	}

	end(): void {
		this.#response.end();
	}

	protected write(events: string | Uint8Array): boolean {
		return this.#response.write(events);
	}
}

function onDrain(this: ServerResponse): void {
	open.get(this)?.drain();
}

function onClose(this: ServerResponse): void {
	if (!this.writableEnded) open.get(this)?.disconnect();
	open.delete(this);
	if (open.size === 0) stopSweeping();
}

/** Schedules the next sweep; repeats as long as there are open streams. */
function scheduleSweep(): void {
	stopSweeping = startBackgroundTimer(SWEEP_MS, () => {
		const now = clock.now();
		for (const sink of open.values()) sink.sendHeartbeat(now);
		scheduleSweep();
	});
}
