import type { WireRunEvent } from "@stemma/client";
import { createSseReader } from "@stemma/core/sse";
import { preciseNow } from "./stamp.ts";

/** A run as somebody saw it who reads the bytes, and never asks twice. */
export interface FollowedRun {
	readonly events: readonly WireRunEvent[];
	/** When each came. */
	readonly times: readonly number[];
	/** Why there came no more before the last event. */
	readonly interruption?: unknown;
}

const LAST = /^run\.(completed|failed|cancelled|paused)$/;

export interface FollowOptions {
	readonly token?: string;
	readonly onEvent?: (event: WireRunEvent) => void;
}

/** Starts a run of a runtime, and reads its events to the last. */
export async function followRun(
	url: string,
	agent: string,
	{ token, onEvent = () => undefined }: FollowOptions = {},
): Promise<FollowedRun> {
	const events: WireRunEvent[] = [];
	const times: number[] = [];
	try {
		const response = await fetch(`${url}/run/${agent}`, {
			method: "POST",
			headers: {
				accept: "text/event-stream",
				"content-type": "application/json",
				...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
			},
			body: '{"input":"Is anyone there?"}',
		});
		if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
		const reader = createSseReader();
		for await (const part of response.body ?? [])
			for (const { data } of reader.push(part)) {
				times.push(preciseNow());
				const event = JSON.parse(data) as WireRunEvent;
				events.push(event);
				onEvent(event);
			}
		if (!LAST.test(events.at(-1)?.type ?? "")) throw new Error("The stream ended before the run did.");
		return { events, times };
	} catch (interruption) {
		return { events, times, interruption };
	}
}
