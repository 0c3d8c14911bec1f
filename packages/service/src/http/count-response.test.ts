import { expect, it } from "vitest";
import { createActivity } from "./activity";
import { countResponse } from "./count-response";

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
	const activity = createActivity();
	const { body, give } = openStream();
	const counted = countResponse(new Response(body, { ...EVENTS, status: 201 }), activity, here);
	give()?.enqueue(new TextEncoder().encode("data: 1\n\n"));
	const reading = counted.text();
	await new Promise((resolve) => setTimeout(resolve, 5));
	expect([activity.size, counted.status]).toEqual([1, 201]);
	give()?.close();
	expect(await reading).toBe("data: 1\n\n");
	expect(activity.size).toBe(0);
});

it.each(["cancels", "breaks off", "goes away unread"])("… or until it %s", async (how) => {
	const activity = createActivity();
	const left = new AbortController();
	const { body, give, isCancelled } = openStream();
	const counted = countResponse(new Response(body, EVENTS), activity, left.signal);
	expect(activity.size).toBe(1);
	if (how === "goes away unread") left.abort();
	else if (how === "cancels") await counted.body?.cancel();
	else {
		give()?.error(new Error("Broken."));
		await expect(counted.text()).rejects.toThrow("Broken.");
	}
	expect([activity.size, isCancelled()]).toEqual([0, how === "cancels"]);
});

it("does not count a stream whose client has left before it began", () => {
	const activity = createActivity();
	countResponse(new Response(openStream().body, EVENTS), activity, AbortSignal.abort());
	expect(activity.size).toBe(0);
});

it("leaves alone what is no stream: nobody reads the body for a HEAD", () => {
	const activity = createActivity();
	const response = Response.json({});
	expect(countResponse(response, activity, here)).toBe(response);
	expect(activity.size).toBe(0);
});
