import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { WireRunEvent } from "@stemma/client";
import type { A2aPushConfig } from "@stemma/client/a2a";
import { afterEach, describe, expect, it } from "vitest";
import {
	completed,
	type Happening,
	paused,
	resumed,
	started,
	toEvents,
	word,
} from "../test-support/run-events";
import {
	createPushSender,
	type PushDelivery,
	type PushFailure,
	type PushSenderOptions,
} from "./create-push-sender";

interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	// biome-ignore lint/suspicious/noExplicitAny: read by assertions.
	readonly body: any;
}

let server: Server | undefined;

afterEach(() => {
	server?.close();
	server?.closeAllConnections();
});

/** A receiver on a real port. @param answer - the status of the so many-th request, from 1; 0 for none at all. */
async function startReceiver(answer: (count: number) => number = () => 204) {
	const received: Received[] = [];
	server = createServer(async (request, response) => {
		let text = "";
		for await (const chunk of request) text += chunk;
		received.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
		const status = answer(received.length);
		if (status === 0) return;
		response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {});
		response.end("thank you");
	});
	await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/hook`, received };
}

const RUN: readonly Happening[] = [
	started,
	word("Five "),
	paused,
	resumed,
	word("days."),
	completed("Five days."),
];

async function* oneByOne(events: readonly WireRunEvent[]): AsyncGenerator<readonly WireRunEvent[]> {
	for (const event of events) yield [event];
}

/** A sender that does not wait long, and what came of a delivery. */
async function deliver(
	url: string,
	{
		config,
		options,
		...more
	}: Partial<Omit<PushDelivery, "config">> & {
		readonly config?: Partial<A2aPushConfig>;
		readonly options?: Partial<PushSenderOptions>;
	} = {},
) {
	const failures: PushFailure[] = [];
	const delivered: number[] = [];
	const sender = createPushSender({
		fetch,
		retryDelayMs: 1,
		onFailure: (failure) => failures.push(failure),
		...options,
	});
	const end = await sender.deliver({
		task: { taskId: "run_1", contextId: "ctx_1" },
		config: { id: "push_1", taskId: "run_1", url, ...config },
		events: oneByOne(toEvents(RUN)),
		onDelivered: (seq) => void delivered.push(seq),
		...more,
	});
	return { end, failures, delivered };
}

const stateOf = ({ body }: Received): string => (body.task ?? body.statusUpdate).status.state;

describe("a delivery", () => {
	it("tells each change in order, and the whole task when it ends or waits", async () => {
		const { url, received } = await startReceiver();
		const config = { token: "t0ken", authentication: { scheme: "Bearer", credentials: "s3cret" } };
		expect(await deliver(url, { config })).toEqual({ end: "done", failures: [], delivered: [1, 3, 4, 6] });
		expect(received.map(stateOf)).toEqual([
			"TASK_STATE_WORKING",
			"TASK_STATE_INPUT_REQUIRED",
			"TASK_STATE_WORKING",
			"TASK_STATE_COMPLETED",
		]);
		expect(received[0]?.headers).toMatchObject({
			"content-type": "application/a2a+json",
			"x-a2a-notification-token": "t0ken",
			authorization: "Bearer s3cret",
		});
		expect(received.at(-1)?.body.task).toMatchObject({
			id: "run_1",
			contextId: "ctx_1",
			artifacts: [{ artifactId: "answer", parts: [{ text: "Five days." }] }],
		});
	});

	it("goes on where it was, with all of the answer", async () => {
		const { url, received } = await startReceiver();
		expect(await deliver(url, { lastDelivered: 4 })).toMatchObject({ end: "done", delivered: [6] });
		expect(received[0]?.headers).not.toHaveProperty("authorization");
		expect(received.map(({ body }) => body.task.artifacts[0].parts)).toEqual([[{ text: "Five days." }]]);
	});

	it("tries again, in order, and gives up after five times", async () => {
		const { url, received } = await startReceiver((count) =>
			count <= 2 || (count >= 4 && count <= 8) ? 500 : 200,
		);
		const { end, failures, delivered } = await deliver(url);
		expect({ end, delivered }).toEqual({ end: "done", delivered: [1, 3, 4, 6] });
		expect(received.map(stateOf).map((state) => state.slice("TASK_STATE_".length))).toEqual([
			...Array(3).fill("WORKING"),
			...Array(5).fill("INPUT_REQUIRED"),
			"WORKING",
			"COMPLETED",
		]);
		expect(failures.map(({ attempt, isLast }) => [attempt, isLast])).toEqual([
			[1, false],
			[2, false],
			[1, false],
			[2, false],
			[3, false],
			[4, false],
			[5, true],
		]);
		expect(failures[0]).toEqual({
			taskId: "run_1",
			configId: "push_1",
			attempt: 1,
			isLast: false,
			status: 500,
		});
	});

	it.each([404, 410])("ends when the receiver wants no more (%i)", async (status) => {
		const { url, received } = await startReceiver(() => status);
		expect(await deliver(url)).toMatchObject({
			end: "gone",
			delivered: [],
			failures: [{ attempt: 1, isLast: true }],
		});
		expect(received.length).toBe(1);
	});

	it("does not follow redirects, and does not wait for ever", async () => {
		const { url, received } = await startReceiver((count) => (count === 1 ? 302 : count === 2 ? 0 : 200));
		const { failures } = await deliver(url, { options: { timeoutMs: 100 } });
		expect(failures.map(({ status }) => status)).toEqual([302, undefined]);
		expect(new Set(received.map(({ path }) => path))).toEqual(new Set(["/hook"]));
	});

	it("stops by the signal, also between tries", async () => {
		const { url, received } = await startReceiver(() => 500);
		const stop = new AbortController();
		const options = { retryDelayMs: 60_000, onFailure: () => stop.abort() };
		expect(await deliver(url, { options, signal: stop.signal })).toMatchObject({
			end: "stopped",
			delivered: [],
		});
		expect(received.length).toBe(1);
	});

	it("stops when its configuration is no more, and when nothing more is known", async () => {
		const { url, received } = await startReceiver();
		expect((await deliver(url, { onDelivered: () => false })).end).toBe("stopped");
		expect(received.length).toBe(1);
		expect((await deliver(url, { events: oneByOne(toEvents([started])) })).end).toBe("stopped");
	});

	it("has no more requests under way than it may", async () => {
		let [now, most] = [0, 0];
		const slow = async (): Promise<Response> => {
			now += 1;
			most = Math.max(most, now);
			await new Promise((resolve) => setTimeout(resolve, 5));
			now -= 1;
			return new Response(null, { status: 204 });
		};
		const sender = createPushSender({ fetch: slow, maxConcurrent: 2 });
		const task = { taskId: "run_1", contextId: "ctx_1" };
		const config = { id: "push_1", taskId: "run_1", url: "https://a.example" };
		const ends = await Promise.all(
			Array.from({ length: 6 }, () => sender.deliver({ task, config, events: oneByOne(toEvents(RUN)) })),
		);
		expect({ most, ends: new Set(ends) }).toEqual({ most: 2, ends: new Set(["done"]) });
	});
});
