import { expect, it } from "vitest";
import { createInFlightCounter } from "../workspaces/in-flight-counter";
import { trackResponse } from "./track-response";

const EVENTS = { headers: { "content-type": "text/event-stream" } };
const here = new AbortController().signal;

function openStream() {
	let give: ReadableStreamDefaultController<Uint8Array> | undefined;
	let isCancelled = false;
	const body = new ReadableStream<Uint8Array>({
		start: (controller) => {
			give = controller;
		},
		cancel: () => {
			isCancelled = true;
		},
	});
	return { body, give: () => give, isCancelled: () => isCancelled };
}

it("counts a stream until it was read to its end", async () => {
	const inFlight = createInFlightCounter();
	const { body, give } = openStream();
	const counted = trackResponse(new Response(body, { ...EVENTS, status: 201 }), inFlight, here);
	give()?.enqueue(new TextEncoder().encode("data: 1\n\n"));
	const reading = counted.text();
	await new Promise((resolve) => setTimeout(resolve, 5));
	expect([inFlight.size, counted.status]).toEqual([1, 201]);
	give()?.close();
	expect(await reading).toBe("data: 1\n\n");
	expect(inFlight.size).toBe(0);
});

it.each(["cancels", "breaks off", "goes away unread"])("… or until it %s", async (how) => {
	const inFlight = createInFlightCounter();
	const left = new AbortController();
	const { body, give, isCancelled } = openStream();
	const counted = trackResponse(new Response(body, EVENTS), inFlight, left.signal);
	expect(inFlight.size).toBe(1);
	if (how === "goes away unread") left.abort();
	else if (how === "cancels") await counted.body?.cancel();
	else {
		give()?.error(new Error("Broken."));
		await expect(counted.text()).rejects.toThrow("Broken.");
	}
	expect([inFlight.size, isCancelled()]).toEqual([0, how === "cancels"]);
});

it("does not count a stream whose client has left before it began", () => {
	const inFlight = createInFlightCounter();
	trackResponse(new Response(openStream().body, EVENTS), inFlight, AbortSignal.abort());
	expect(inFlight.size).toBe(0);
});

it("leaves alone what is no stream: nobody reads the body for a HEAD", () => {
	const inFlight = createInFlightCounter();
	const response = Response.json({});
	expect(trackResponse(response, inFlight, here)).toBe(response);
	expect(inFlight.size).toBe(0);
});
