import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
	type AgentRunStream,
	agents,
	ask,
	ConnectionError,
	NotFoundError,
	runs,
	type StemmaClient,
} from "../index";
import { type FakeRunOptions, serveRun, truncateMidEvent } from "../test-support/fake-run";
import { NodeXmlHttpRequest } from "../test-support/node-xml-http-request";
import { clientOf, useTestServer } from "../test-support/test-client";
import {
	createTestServer,
	neverRespond,
	respondWithError,
	respondWithJson,
	sendEvents,
	toSse,
} from "../test-support/test-server";

const server = useTestServer();
const MEGABYTE = 2 ** 20;
const warn = vi.fn();

beforeEach(() => {
	vi.stubGlobal("XMLHttpRequest", NodeXmlHttpRequest);
	// As in React Native: `fetch` gives no bodies.
	vi.stubGlobal("Response", class {});
	NodeXmlHttpRequest.instances.length = 0;
	warn.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

const client = (): StemmaClient => clientOf(server(), { logger: { debug: () => undefined, warn } });

function start(options?: FakeRunOptions) {
	serveRun(server(), options);
	return agents(client());
}

async function readSeqs(stream: AgentRunStream): Promise<number[]> {
	const seqs: number[] = [];
	for await (const { seq } of stream) seqs.push(seq);
	return seqs;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe("a run over XMLHttpRequest", () => {
	it("is given event by event, as they come", async () => {
		let resumeServer = (): void => undefined;
		const desk = start({
			serve({ events }, response) {
				sendEvents(response, events.slice(0, 2));
				resumeServer = () => response.end(events.slice(2).map(toSse).join(""));
			},
		});
		const seqs: number[] = [];
		for await (const { seq } of desk.stream("desk", { input: "" })) {
			seqs.push(seq);
			if (seq === 2) resumeServer();
		}
		expect(seqs).toEqual(upTo(6));
		expect(server().requests).toHaveLength(1);
		expect(server().requests[0]?.json()).toEqual({ input: "" });
		expect(NodeXmlHttpRequest.instances).toHaveLength(1);
		expect(NodeXmlHttpRequest.instances[0]?.withCredentials).toBe(false);
	});

	it("uses a `fetch` that is passed in instead", async () => {
		serveRun(server());
		const fetch = (url: string, init: object) => globalThis.fetch(url, init);
		expect(await readSeqs(agents(clientOf(server(), { fetch })).stream("desk", { input: "" }))).toEqual(
			upTo(6),
		);
		expect(NodeXmlHttpRequest.instances).toHaveLength(0);
	});

	it("is left after a megabyte of text and rejoined at once, without loss and without a warning", async () => {
		const words = Array.from({ length: 300 }, () => "x".repeat(10_000));
		// Waiting for a retry would take too long.
		const stream = agents(
			clientOf(server(), { retryDelayMs: 600_000, logger: { debug: () => undefined, warn } }),
		).stream("desk", { input: "" });
		serveRun(server(), { words });
		expect(await readSeqs(stream)).toEqual(upTo(302));
		expect(NodeXmlHttpRequest.instances).toHaveLength(3);
		// The last one brings the output as a whole.
		for (const { maxTextLength } of NodeXmlHttpRequest.instances.slice(0, -1))
			expect(maxTextLength).toBeLessThan(1.5 * MEGABYTE);
		expect(warn).not.toHaveBeenCalled();
	});

	it("keeps no more than that where nobody reads", async () => {
		const words = Array.from({ length: 300 }, () => "x".repeat(10_000));
		const stream = start({ words }).stream("desk", { input: "" });
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(NodeXmlHttpRequest.instances.length).toBeLessThanOrEqual(2);
		expect(await readSeqs(stream)).toEqual(upTo(302));
	});

	it("brings an event through that is longer", async () => {
		const words = ["a", "y".repeat(2 * MEGABYTE), "b"];
		expect(await readSeqs(start({ words }).stream("desk", { input: "" }))).toEqual(upTo(5));
		expect(NodeXmlHttpRequest.instances).toHaveLength(2);
	});

	it("is rejoined after a cut", async () => {
		const desk = start({
			serve({ from, events, number }, response) {
				if (number === 1) return truncateMidEvent(response, events.slice(0, 4));
				sendEvents(response, events.slice(from));
				response.end();
			},
		});
		expect(await readSeqs(desk.stream("desk", { input: "" }))).toEqual(upTo(6));
		expect(warn).toHaveBeenCalledTimes(1);
	});

	it("is refused where a redirect led elsewhere", async () => {
		const other = await createTestServer();
		serveRun(other);
		server().on("POST /v1/agents/:id/run", ({ path }, response) => {
			response.writeHead(307, { location: `${other.url}${path}` }).end();
		});
		const stream = agents(client()).stream("desk", { input: "" });
		await expect(readSeqs(stream)).rejects.toMatchObject({ code: "redirected" });
		expect(server().requests).toHaveLength(1);
		await other.close();
	});

	it("fails with the service's own error", async () => {
		server().on(
			"POST /v1/agents/:id/run",
			respondWithError(404, { code: "agent_not_found" }, { "retry-after": "7" }),
		);
		const error = await agents(client())
			.run("desk", { input: "" })
			.catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(NotFoundError.is);
		expect(error).toMatchObject({ code: "agent_not_found", requestId: "req_1", retryAfterMs: 7000 });
	});

	it("says what the platform says where there is no connection", async () => {
		const desk = agents(clientOf(server(), { maxRetries: 0 }));
		await server().close();
		const error = await desk.run("desk", { input: "" }).catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(ConnectionError.is);
		expect(error).toMatchObject({ message: expect.stringContaining("ECONNREFUSED") });
	});

	it.each(["before", "after"])("is aborted %s its head", async (when) => {
		const desk = start({ serve: ({ events }, response) => sendEvents(response, events.slice(0, 2)) });
		if (when === "before") server().on("POST /v1/agents/:id/run", neverRespond);
		const controller = new AbortController();
		const stream = desk.stream("desk", { input: "" }, { signal: controller.signal });
		const ended = expect(readSeqs(stream)).rejects.toBe("enough");
		await expect.poll(() => server().requests).toHaveLength(1);
		if (when === "after")
			await expect.poll(() => NodeXmlHttpRequest.instances[0]?.maxTextLength).toBeGreaterThan(0);
		controller.abort("enough");
		await ended;
		if (when === "after") expect(NodeXmlHttpRequest.instances[0]?.isAborted).toBe(true);
	});
});

describe("other calls", () => {
	it("are aborted before their head", async () => {
		server().on("POST /v1/ask", neverRespond);
		const controller = new AbortController();
		const request = { question: "?", knowledge_base_ids: ["kb_1"] };
		const failed = ask(client())(request, { signal: controller.signal }).catch((error: unknown) => error);
		await expect.poll(() => server().requests).toHaveLength(1);
		controller.abort("enough");
		expect(await failed).toBe("enough");
		await expect.poll(() => NodeXmlHttpRequest.instances[0]?.isAborted).toBe(true);
	});

	it("an answer is read whole, however long it is", async () => {
		const answer = { answer: "z".repeat(1000), citations: [], passages: [], receipt: [], usage: {} };
		const deltas = Array.from({ length: 200 }, (_, index) => ({
			type: "text.delta",
			seq: index + 1,
			text: "z".repeat(10_000),
		}));
		server().on("POST /v1/ask", (_, response) => {
			sendEvents(response, [...deltas, { type: "ask.completed", seq: 201, answer } as never]);
			response.end();
		});
		expect(await ask(client())({ question: "?", knowledge_base_ids: ["kb_1"] })).toEqual(answer);
		expect(NodeXmlHttpRequest.instances).toHaveLength(1);
	});

	it("go over `fetch`", async () => {
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
		expect(await runs(client()).get("run_1")).toEqual({ id: "run_1" });
		expect(NodeXmlHttpRequest.instances).toHaveLength(0);
	});

	it("tell how much of a form has gone out", async () => {
		vi.unstubAllGlobals();
		vi.stubGlobal("XMLHttpRequest", NodeXmlHttpRequest);
		server().on("POST /v1/form", respondWithJson({ id: "doc_1" }, 202));
		const form = new FormData();
		form.append("file", new Blob(["hello"]), "a.txt");
		const onUploadProgress = vi.fn();
		const uploaded = await client().request({ method: "POST", path: "/v1/form", form, onUploadProgress });
		expect(uploaded).toEqual({ id: "doc_1" });
		expect(server().requests[0]?.body.toString()).toContain("hello");
		const length = server().requests[0]?.body.length;
		expect(onUploadProgress).toHaveBeenLastCalledWith({ loaded: length, total: length });
	});

	it("go over a `fetch` that was passed in, which tells no progress", async () => {
		vi.unstubAllGlobals();
		vi.stubGlobal("XMLHttpRequest", NodeXmlHttpRequest);
		NodeXmlHttpRequest.instances.length = 0;
		const form = new FormData();
		const onUploadProgress = vi.fn();
		const fetch = vi.fn(async () => new Response('{"id":"doc_1"}'));
		const own = clientOf(server(), { fetch });
		await own.request({ method: "POST", path: "/v1/form", form, onUploadProgress });
		expect([fetch.mock.calls.length, NodeXmlHttpRequest.instances.length]).toEqual([1, 0]);
		expect(onUploadProgress).not.toHaveBeenCalled();
	});
});
