import { agents, createClient, type FetchInit, type FetchResponse } from "@stemma/client";
import fc from "fast-check";
import { expect, it } from "vitest";
import { INPUT, readAll } from "./calls";
import { CLIENT_KEY } from "./credentials";
import { watchProcess } from "./server-fixture";

watchProcess();

/** One connection of a run: what it brings, how it is cut, and how it ends. */
interface Connection {
	/** So many events that are known already come again. */
	readonly replay: number;
	/** How many bytes it brings, of all that are missing. */
	readonly bytes: number;
	/** Where its pieces end, as shares of a piece. */
	readonly pieces: readonly number[];
	readonly ending: "end" | "drop" | "refused" | "unavailable" | "page";
	readonly lineEnd: "\n" | "\r" | "\r\n";
	readonly hasHeartbeats: boolean;
}

const connections: fc.Arbitrary<readonly Connection[]> = fc.array(
	fc.record({
		replay: fc.nat(3),
		bytes: fc.oneof(fc.nat(40), fc.nat(600)),
		pieces: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
		ending: fc.constantFrom("end", "drop", "refused", "unavailable", "page"),
		lineEnd: fc.constantFrom("\n", "\r", "\r\n"),
		hasHeartbeats: fc.boolean(),
	}),
	{ maxLength: 30 },
);

const words = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 12 });

/** A number for each event, rising, with gaps perhaps, as for keys that see answers alone. */
const separators = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 14, maxLength: 14 });

interface Event {
	readonly type: string;
	readonly seq: number;
	readonly [name: string]: unknown;
}

function toEvents(texts: readonly string[], steps: readonly number[]): readonly Event[] {
	let seq = 0;
	const result = { run_id: "run_1", status: "completed", output: texts.join(""), citations: [], receipt: [] };
	return [
		{ type: "run.started" },
		...texts.map((text) => ({ type: "text.delta", node: "desk", invocation: 1, text, final: true })),
		{ type: "run.completed", result },
	].map((event, index) => {
		seq += steps[index] ?? 1;
		return { ...event, run_id: "run_1", at: "2026-01-01T00:00:00.000Z", seq };
	});
}

function toBytes(events: readonly Event[], { lineEnd, hasHeartbeats }: Connection): Uint8Array {
	const heartbeat = hasHeartbeats ? ": heartbeat\n\n" : "";
	const text = events
		.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n${heartbeat}`)
		.join("");
	return new TextEncoder().encode(`${heartbeat}${text}`.replaceAll("\n", lineEnd));
}

function* splitBytes(bytes: Uint8Array, pieces: readonly number[]): Generator<Uint8Array<ArrayBuffer>> {
	let from = 0;
	for (let piece = 0; from < bytes.length; piece++) {
		const length = pieces[piece % pieces.length] ?? 1;
		yield bytes.slice(from, from + length);
		from += length;
	}
}

function toBody(bytes: Uint8Array, { pieces, ending }: Connection): ReadableStream {
	const all = splitBytes(bytes, pieces);
	return new ReadableStream({
		pull(controller) {
			const { done, value } = all.next();
			if (done !== true) return controller.enqueue(value);
			if (ending === "drop") controller.error(new TypeError("terminated"));
			else controller.close();
		},
	});
}

const WHOLE: Connection = {
	...{ replay: 0, bytes: Number.POSITIVE_INFINITY, pieces: [64], ending: "end", lineEnd: "\n" },
	hasHeartbeats: false,
};
const STREAM = { headers: { "content-type": "text/event-stream" } };

/** The service, by these connections; then by one that brings all. Counts failures, and never more than are borne. */
function serve(events: readonly Event[], plan: readonly Connection[]) {
	let next = 0;
	let failures = 0;
	let started = false;
	let known = 0;
	return async (_: string, init: FetchInit): Promise<FetchResponse> => {
		const after = Number(init.headers["last-event-id"] ?? 0);
		if (after > known) failures = 0;
		known = after;
		const planned = plan[next] ?? WHOLE;
		next += 1;
		failures += 1;
		const connection = failures > 6 ? WHOLE : planned;
		// Before the first answer, failures are the caller's.
		if (started && connection.ending === "refused") throw new TypeError("fetch failed");
		if (started && connection.ending === "unavailable") return new Response("", { status: 503 });
		if (started && connection.ending === "page")
			return new Response("<html>", { headers: { "content-type": "text/html" } });
		started = true;
		const first = events.findIndex(({ seq }) => seq > after);
		const sent = first === -1 ? [] : events.slice(Math.max(0, first - connection.replay));
		return new Response(toBody(toBytes(sent, connection).slice(0, connection.bytes), connection), STREAM);
	};
}

it("however a run's stream is cut and dropped, its events come once each, in order", {
	timeout: 60_000,
}, async () => {
	await fc.assert(
		fc.asyncProperty(words, separators, connections, async (texts, steps, plan) => {
			const events = toEvents(texts, steps);
			const client = createClient({
				clientKey: CLIENT_KEY,
				baseUrl: "http://127.0.0.1:1",
				fetch: serve(events, plan),
				retryDelayMs: 0,
			});
			const stream = agents(client).stream("desk", INPUT);
			expect(await readAll(stream)).toEqual(events);
			expect(await stream.text()).toBe(texts.join(""));
		}),
		{ numRuns: 400 },
	);
});
