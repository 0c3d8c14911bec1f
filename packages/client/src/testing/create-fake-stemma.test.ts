import { afterEach, describe, expect, it, vi } from "vitest";
import {
	agents,
	ConnectionError,
	NotConfiguredError,
	RateLimitError,
	RunFailedError,
	runtimeAgents,
	type Stemma,
	StreamError,
} from "../index";
import {
	type AskScript,
	createControlledRun,
	createFakeStemma,
	type FakeStemmaOptions,
	type RunScript,
	type ScriptedEvent,
} from "../testing";
import type { EventPage, WireRunEvent } from "../types/run";

const input = "How long do refunds take?";

async function readAll<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
	const events: Event[] = [];
	for await (const event of stream) events.push(event);
	return events;
}

const typesOf = (events: readonly { readonly type: string }[]): string[] => events.map(({ type }) => type);

/** What a person reads. */
const textOf = (events: readonly WireRunEvent[]): string =>
	events.reduce((text, event) => {
		if (event.type === "text.reset") return "";
		return event.type === "text.delta" && event.final ? text + event.text : text;
	}, "");

/** As of another library. */
const toThenable = <Value>(value: Value): PromiseLike<Value> => {
	const promise = Promise.resolve(value);
	// biome-ignore lint/suspicious/noThenProperty: this is about objects that have one.
	return { then: (...callbacks) => promise.then(...callbacks) };
};

describe("runs", () => {
	it("complete with an output that is streamed in words, and everything else filled in", async () => {
		const fake = createFakeStemma({ now: () => 0 });
		fake.agents.on("desk", { output: "Two days [1].", citations: [{ title: "FAQ", text: "Two days." }] });
		const stream = fake.stemma.agents.stream("desk", { input });
		const events = await readAll(stream);
		expect(events.map(({ type, seq }) => [seq, type])).toEqual([
			[1, "run.started"],
			[2, "node.started"],
			[3, "text.delta"],
			[4, "text.delta"],
			[5, "text.delta"],
			[6, "node.completed"],
			[7, "run.completed"],
		]);
		expect(textOf(events)).toBe("Two days [1].");
		expect(events[0]).toEqual({
			type: "run.started",
			run_id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
			seq: 1,
			at: "1970-01-01T00:00:00.000Z",
			agent: "desk",
		});
		expect(stream.run_token).toMatch(/^rt_/);
		const result = await fake.stemma.agents.run("desk", { input });
		expect(result).toMatchObject({
			status: "completed",
			output: "Two days [1].",
			citations: [{ n: 1, title: "FAQ", text: "Two days.", support: "supported" }],
			usage: { model_calls: 1 },
			receipt: [{ stage: "answer", payer: "none" }],
		});
		expect(result.requestId).toBe("req_2");
	});

	it.each([
		["text alone", "Two days."],
		["events that have no end", ["Two ", "days."]],
		["a generator", () => ["Two ", { output: "Two days." }].values()],
		[
			"a generator that waits",
			async function* (): AsyncGenerator<ScriptedEvent> {
				yield "Two ";
				await Promise.resolve();
				yield { type: "reasoning.delta", text: "Hm." };
				yield "days.";
			},
		],
		["a promise", async () => ({ output: "Two days." })],
		["what is like a promise", () => toThenable({ output: "Two days." })],
		[
			"an answer that was something else before",
			["Let me ", { output: "Two days." }] satisfies ScriptedEvent[],
		],
	] satisfies [string, NonNullable<FakeStemmaOptions["agents"]>[string]][])(
		"are scripted by %s",
		async (_, script) => {
			const fake = createFakeStemma({ agents: { desk: script } });
			const stream = fake.stemma.agents.stream("desk", { input });
			expect(textOf(await readAll(stream))).toBe("Two days.");
			expect(await stream.text()).toBe("Two days.");
		},
	);

	it("answer what they are asked, the last script again and again", async () => {
		const fake = createFakeStemma();
		fake.agents.on("desk", "First.", ({ input, context }) => `${input} ${context.name}`);
		const ask = () => fake.stemma.agents.stream("desk", { input: "Hi", context: { name: "Ada" } }).text();
		expect([await ask(), await ask(), await ask()]).toEqual(["First.", "Hi Ada", "Hi Ada"]);
	});

	it("have JSON as their output, unstreamed", async () => {
		const fake = createFakeStemma({ agents: { desk: { output: { days: 2 } } } });
		const stream = fake.stemma.agents.stream("desk", { input });
		expect(typesOf(await readAll(stream))).not.toContain("text.delta");
		expect((await stream.result()).output).toEqual({ days: 2 });
	});

	it("fail with the error of the script, or with what the script threw", async () => {
		const error = { code: "model_failed", message: "It broke.", hint: "Mend it." };
		const fake = createFakeStemma({ agents: { desk: ["Two ", { error }] } });
		const stream = fake.stemma.agents.stream("desk", { input });
		expect(typesOf(await readAll(stream)).slice(-2)).toEqual(["node.failed", "run.failed"]);
		const failed = await stream.result().catch((reason: unknown) => reason);
		expect(failed).toMatchObject({ code: "model_failed", result: { output: "Two ", error } });
		expect(RunFailedError.is(failed)).toBe(true);
		fake.agents.on("desk", () => {
			throw new Error("a typing error");
		});
		await expect(fake.stemma.agents.run("desk", { input })).rejects.toThrow(/"desk" threw: a typing error/);
	});

	it.each<[string, unknown, RegExp]>([
		["has a slip of the pen", () => ({ outptu: "x" }), /"desk" gave an object with `outptu`\. Expected text/],
		[
			"has an event that is none",
			[{ type: "tol.called" }],
			/type "tol\.called".* Did you mean "tool\.called"\?/,
		],
		[
			"has what is said by itself",
			[{ type: "run.started" }],
			/type "run\.started", which a script cannot have/,
		],
		["says nothing", () => undefined, /gave nothing \(undefined\)/],
		["has nothing in it", {}, /gave an object with nothing in it/],
		["is a number", () => 5, /gave a number/],
		["is no JSON", { output: 1n }, /gave a value that is not JSON/],
		["has citations that are none", { output: "x", citations: "FAQ" }, /"desk" threw:/],
		[
			"throws what cannot be shown",
			() => {
				throw Object.create(null);
			},
			/threw: something that cannot be shown/,
		],
	])("fail with what is wrong with a script that %s", async (_, script, message) => {
		const fake = createFakeStemma({ agents: { desk: script as RunScript } });
		const failed = await fake.stemma.agents.run("desk", { input }).catch((reason: unknown) => reason);
		expect(failed).toMatchObject({ code: "script_failed", message: expect.stringMatching(message) });
		await expect(fake.stemma.agents.stream("desk", { input }).result()).rejects.toThrow(message);
	});

	it("end even where nothing more can be written", async () => {
		let readCount = 0;
		const now = () => {
			readCount += 1;
			if (readCount > 3) throw new Error("no clock");
			return 0;
		};
		const fake = createFakeStemma({ agents: { desk: async () => "Two days." }, now });
		await expect(fake.stemma.agents.run("desk", { input })).rejects.toSatisfy(StreamError.is);
	});

	it("take a copy of what a script says", async () => {
		const fake = createFakeStemma();
		const output = { days: 2 };
		fake.agents.on("desk", async function* () {
			const called = { days: 1 };
			yield { type: "tool.called", callee: "count", arguments: called };
			called.days = 9;
			yield { output };
			output.days = 9;
		});
		const stream = fake.stemma.agents.stream("desk", { input });
		expect(await readAll(stream)).toContainEqual(expect.objectContaining({ arguments: { days: 1 } }));
		expect((await stream.result()).output).toEqual({ days: 2 });
	});

	it("tell of inner nodes, with their numbers", async () => {
		const fake = createFakeStemma();
		fake.agents.on("desk", [
			{ type: "node.started", node: "desk" },
			{ type: "tool.called", callee: "billing", arguments: { input: "?" } },
			{ type: "node.started", node: "billing" },
			{ type: "text.delta", node: "billing", text: "Two.", final: false },
			{ type: "node.completed", node: "billing", output: "Two." },
			{ output: "Two days." },
		]);
		const events = await readAll(fake.stemma.agents.stream("desk", { input }));
		expect(
			events.flatMap((event) => ("node" in event ? [[event.type, event.node, event.invocation]] : [])),
		).toEqual([
			["node.started", "desk", 1],
			["tool.called", "desk", 1],
			["node.started", "billing", 2],
			["text.delta", "billing", 2],
			["node.completed", "billing", 2],
			["text.delta", "desk", 1],
			["text.delta", "desk", 1],
			["node.completed", "desk", 1],
		]);
	});

	it("pause with their approvals", async () => {
		const approval = { id: "ap_1", node: "refund", tool: "refund", arguments: {}, expires_at: "2026-01-08" };
		const fake = createFakeStemma({
			agents: { desk: [{ type: "run.paused", result: { approvals: [approval] } }] },
		});
		const result = await fake.stemma.agents.run("desk", { input });
		expect(result).toMatchObject({ status: "paused", approvals: [approval], output: null });
	});

	it("are fetched, listed and read again", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		const { run_id } = await fake.stemma.agents.run("desk", { input });
		expect(await fake.stemma.runs.get(run_id)).toMatchObject({
			id: run_id,
			agent_slug: "desk",
			status: "completed",
			last_seq: 6,
			result: { output: "Two days." },
		});
		const events = await readAll(fake.stemma.runs.stream(run_id, { after: 3 }));
		expect(events.map(({ seq }) => seq)).toEqual([4, 5, 6]);
		const other = await fake.stemma.agents.start("desk", { input });
		const listed = await readAll(fake.stemma.runs.list({ status: "completed" }));
		expect(listed.map(({ id }) => id)).toEqual([other.id, run_id]);
		await expect(fake.stemma.runs.get("run_other")).rejects.toMatchObject({ code: "run_not_found" });
	});

	it("send what is missing alone to whoever rejoins, and wait for more where they are polled", async () => {
		const fake = createFakeStemma();
		const run = createControlledRun();
		fake.agents.on("desk", run.script);
		const { id } = await fake.stemma.agents.start("desk", { input });
		const path = `/v1/runs/${id}/events`;
		const poll = (after: number) => fake.client.request<EventPage>({ method: "GET", path, query: { after } });
		expect(await poll(0)).toMatchObject({ data: [{ seq: 1 }], done: false });
		const waiting = poll(1);
		run.send("Two ");
		expect(await waiting).toMatchObject({ data: [{ seq: 2 }, { seq: 3 }], done: false });
		run.complete();
		await fake.stemma.runs.stream(id).result();
		const headers = { "last-event-id": "4" };
		const answer = await fake.client.open({ method: "GET", path, accept: "text/event-stream", headers });
		expect(await answer.read()).toMatch(/^id: 5\nevent: run\.completed\ndata: \{/);
		expect(await answer.read()).toBeUndefined();
	});

	it("are the same for the same idempotency key", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		const run = () => fake.stemma.agents.run("desk", { input }, { idempotencyKey: "once" });
		expect((await run()).run_id).toBe((await run()).run_id);
	});

	it("serve a runtime's client, too", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		const runtime = runtimeAgents({ baseUrl: "https://runtime.test", fetch: fake.fetch });
		expect((await runtime.run("desk", { input })).output).toBe("Two days.");
	});
});

describe("a run by hand", () => {
	it("goes on when the test says so", async () => {
		const fake = createFakeStemma();
		const run = createControlledRun();
		fake.agents.on("desk", run.script);
		const reader = fake.stemma.agents.stream("desk", { input })[Symbol.asyncIterator]();
		expect((await run.started).input).toBe(input);
		run.send("Two ");
		const seen: string[] = [];
		const readUntil = async (type: string): Promise<WireRunEvent | undefined> => {
			for (;;) {
				const { value } = await reader.next();
				if (value !== undefined) seen.push(value.type);
				if (value === undefined || value.type === type) return value;
			}
		};
		expect(await readUntil("text.delta")).toMatchObject({ text: "Two " });
		expect(seen).toEqual(["run.started", "node.started", "text.delta"]);
		run.send("days.");
		run.complete();
		expect(await readUntil("run.completed")).toMatchObject({ result: { output: "Two days." } });
	});

	it("ends with run.cancelled when the app cancels it, and tells the script", async () => {
		const fake = createFakeStemma();
		const run = createControlledRun();
		fake.agents.on("desk", run.script);
		const stream = fake.stemma.agents.stream("desk", { input });
		const { signal } = await run.started;
		run.send("Two ");
		const types: string[] = [];
		for await (const { type } of stream) {
			types.push(type);
			if (type === "text.delta") stream.cancel();
		}
		expect(types.slice(-2)).toEqual(["node.failed", "run.cancelled"]);
		expect(await stream.result()).toMatchObject({ status: "cancelled", output: "Two " });
		expect(signal.aborted).toBe(true);
		const { status } = await fake.stemma.runs.get((await stream.result()).run_id);
		expect(status).toBe("cancelled");
	});

	it("lets go of what it waits for when it is cancelled", async () => {
		const fake = createFakeStemma();
		const seen: string[] = [];
		fake.agents.on("desk", async function* ({ signal }) {
			try {
				yield "Two ";
				await new Promise((resolve) => signal.addEventListener("abort", resolve));
			} finally {
				seen.push("generator");
			}
		});
		const endless = {
			next: () => new Promise<never>(() => undefined),
			return: async () => ({ done: true as const, value: seen.push("iterator") }),
		};
		fake.agents.on("other", { [Symbol.asyncIterator]: () => endless });
		for (const agent of ["desk", "other"]) {
			const stream = fake.stemma.agents.stream(agent, { input });
			for await (const { type } of stream) if (type === "run.started") stream.cancel();
			expect((await stream.result()).status).toBe("cancelled");
		}
		await expect.poll(() => seen).toEqual(["generator", "iterator"]);
	});

	it("is stopped by the app's signal", async () => {
		const fake = createFakeStemma();
		const run = createControlledRun();
		fake.agents.on("desk", run.script);
		const controller = new AbortController();
		const result = fake.stemma.agents.run("desk", { input }, { signal: controller.signal });
		const { signal } = await run.started;
		controller.abort(new Error("enough"));
		await expect(result).rejects.toThrow("enough");
		await expect.poll(() => signal.aborted).toBe(true);
	});
});

describe("drop", () => {
	it("cuts the open stream, and the client rejoins without loss or repeats", async () => {
		const fake = createFakeStemma();
		const run = createControlledRun();
		fake.agents.on("desk", run.script);
		const stream = fake.stemma.agents.stream("desk", { input });
		run.send("Two ");
		const seqs: number[] = [];
		for await (const { type, seq } of stream) {
			seqs.push(seq);
			if (type !== "text.delta") continue;
			if (seq === 3) {
				fake.drop();
				run.send("days.");
			} else run.complete();
		}
		expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
		expect(fake.calls.map(({ method, path, headers }) => [method, path, headers["last-event-id"]])).toEqual([
			["POST", "/v1/agents/desk/run", undefined],
			["GET", expect.stringMatching(/^\/v1\/runs\/run_\w+\/events$/), "3"],
		]);
	});

	it("cuts the next stream where it is told to", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		fake.drop({ afterEvents: 2 });
		const stream = fake.stemma.agents.stream("desk", { input });
		expect((await readAll(stream)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(fake.calls).toHaveLength(2);
	});

	it("ends an answer for good", async () => {
		const fake = createFakeStemma({ ask: "Two days." });
		fake.drop({ afterEvents: 1 });
		const askResult = fake.stemma.ask({ question: input, knowledge_base_ids: ["kb_1"] });
		await expect(askResult).rejects.toSatisfy((error) => StreamError.is(error) || ConnectionError.is(error));
	});
});

describe("ask and search", () => {
	const question = { question: input, knowledge_base_ids: ["kb_9"] };

	it("answer, with passages and usage", async () => {
		const fake = createFakeStemma();
		fake.ask.on({ answer: "Two days [1].", citations: [{ title: "FAQ", text: "Two days." }] });
		const stream = fake.stemma.ask.stream(question);
		expect(typesOf(await readAll(stream))).toEqual([
			"ask.passages",
			"text.delta",
			"text.delta",
			"text.delta",
			"ask.completed",
		]);
		expect(await stream.answer()).toMatchObject({
			answer: "Two days [1].",
			citations: [{ n: 1, title: "FAQ" }],
			passages: [{ title: "FAQ", text: "Two days.", knowledge_base_id: "kb_9" }],
		});
	});

	it("fail, and answer by a function of the question", async () => {
		const fake = createFakeStemma();
		fake.ask.on({ error: { code: "model_failed", message: "No." } }, ({ question }) => [
			"Hm. ",
			{ type: "text.reset" },
			{ answer: `${question}!` },
		]);
		await expect(fake.stemma.ask(question)).rejects.toMatchObject({ code: "model_failed" });
		expect((await fake.stemma.ask(question)).answer).toBe(`${input}!`);
	});

	it.each<[unknown, RegExp]>([
		[
			() => ({ anwser: "x" }),
			/of `ask` gave an object with `anwser`\. Expected text, or an object with one of `answer`/,
		],
		[["Two ", { type: "text.delta" }], /type "text\.delta"/],
	])("fail with what is wrong with a script: %#", async (script, message) => {
		const fake = createFakeStemma({ ask: script as AskScript });
		await expect(fake.stemma.ask(question)).rejects.toMatchObject({
			code: "script_failed",
			message: expect.stringMatching(message),
		});
	});

	it("show their passages once, before the text", async () => {
		const fake = createFakeStemma({
			ask: [{ type: "ask.passages", passages: [{ text: "Two days." }] }, "Two ", { answer: "Two days." }],
		});
		const events = await readAll(fake.stemma.ask.stream(question));
		expect(typesOf(events)).toEqual(["ask.passages", "text.delta", "text.delta", "ask.completed"]);
	});

	it("tell the script when nobody listens any more", async () => {
		const fake = createFakeStemma();
		let given: AbortSignal | undefined;
		fake.ask.on(async function* (_, signal) {
			given = signal;
			yield "Two ";
			await new Promise(() => undefined);
		});
		for await (const { type } of fake.stemma.ask.stream(question)) if (type === "text.delta") break;
		await expect.poll(() => given?.aborted).toBe(true);
	});

	it("take feedback on a stored answer and on a run, replaced and taken back", async () => {
		const { stemma } = createFakeStemma({ ask: "Two days.", agents: { desk: "Two days." } });
		const { answer_id = "", answer_token } = await stemma.ask({ question: input, store: true });
		const first = await stemma.ask.sendFeedback(answer_id, { rating: "up" }, { answer_token });
		expect(first).toMatchObject({ answer_id, run_id: null, rating: "up", comment: null, tags: [] });
		const again = await stemma.ask.sendFeedback(answer_id, { rating: "down", tags: ["old"] });
		expect(again).toMatchObject({ id: first.id, rating: "down", tags: ["old"] });
		const { run_id } = await stemma.agents.run("desk", { input });
		expect(await stemma.runs.sendFeedback(run_id, { rating: "up" })).toMatchObject({
			run_id,
			answer_id: null,
		});
		expect(await stemma.runs.deleteFeedback(run_id)).toMatchObject({ deleted: true });
		await expect(stemma.runs.deleteFeedback(run_id)).rejects.toMatchObject({ code: "feedback_not_found" });
		const wrong = { rating: "meh" } as never;
		await expect(stemma.runs.sendFeedback(run_id, wrong)).rejects.toMatchObject({ param: "rating" });
		expect(await stemma.ask({ question: input })).not.toHaveProperty("answer_id");
	});

	it("find what the test says, best first and no more than was asked for", async () => {
		const fake = createFakeStemma({ search: [{ text: "Two days." }, { text: "Nine to five." }] });
		const { passages } = await fake.stemma.search({ query: "?", knowledge_base_ids: ["kb_9"], top_k: 1 });
		expect(passages).toMatchObject([{ text: "Two days.", knowledge_base_id: "kb_9", score: 1 }]);
	});
});

describe("any other route", () => {
	it("is answered by a body or a function of the call", async () => {
		const page = { data: [], has_more: false, next: null };
		const fake = createFakeStemma({ routes: { "GET /v1/knowledge-bases": page } });
		fake.on("GET /v1/knowledge-bases/:id", ({ query }, { id }) => ({ id, query }));
		expect(await readAll(fake.stemma.knowledge.list())).toEqual([]);
		expect((await fake.stemma.knowledge.get("kb_1")).id).toBe("kb_1");
		expect(() => fake.on("/v1/knowledge-bases", {})).toThrow(/write it as "GET/);
	});

	it("takes uploads, streamed ones too, and lets them tell their progress", async () => {
		const fake = createFakeStemma({ routes: { "POST /v1/knowledge-bases/:id/documents": { data: [] } } });
		const files = [{ file: new TextEncoder().encode("Two days."), name: "faq.txt" }];
		const progress: number[] = [];
		await fake.stemma.knowledge.documents.upload("kb_1", { files });
		await fake.stemma.knowledge.documents.upload(
			"kb_1",
			{ files },
			{ onProgress: ({ loaded }) => progress.push(loaded) },
		);
		const [form, stream] = fake.calls.map(({ body }) => body);
		expect(form).toBeInstanceOf(FormData);
		expect(new TextDecoder().decode(stream as Uint8Array)).toContain("\r\n\r\nTwo days.\r\n");
		expect(progress.at(-1)).toBe((stream as Uint8Array).length);
	});

	it("tells what to add where nothing was scripted", async () => {
		const fake = createFakeStemma();
		const cases = [
			[fake.stemma.agents.run("desk", { input }), 'fake.agents.on("desk", { output: "…" })'],
			[fake.stemma.ask({ question: "?", knowledge_base_ids: ["kb_1"] }), 'fake.ask.on({ answer: "…" })'],
			[fake.stemma.search({ query: "?", knowledge_base_ids: ["kb_1"] }), 'fake.search.on([{ text: "…" }])'],
			[fake.stemma.knowledge.get("kb_1"), 'fake.on("GET /v1/knowledge-bases/kb_1", () => ({ … }))'],
		] as const;
		for (const [call, hint] of cases) {
			const error = await call.catch((reason: unknown) => reason);
			expect(error).toMatchObject({ code: "not_scripted", hint: `Add it: ${hint}` });
			expect(NotConfiguredError.is(error)).toBe(true);
		}
		expect(fake.unscripted.map(({ path }) => path)).toEqual([
			"/v1/agents/desk/run",
			"/v1/ask",
			"/v1/search",
			"/v1/knowledge-bases/kb_1",
		]);
	});
});

describe("fail", () => {
	it("fails the next request as the service would say it", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		fake.fail({ status: 429, code: "rate_limited", retryAfter: 1 });
		const error = await fake.stemma.agents.run("desk", { input }).catch((reason: unknown) => reason);
		expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 1000, requestId: "req_1" });
		expect(RateLimitError.is(error)).toBe(true);
		expect((await fake.stemma.agents.run("desk", { input })).output).toBe("Two days.");
	});

	it("fails without a connection, and one route alone", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." }, ask: "Two days." });
		fake.fail({ network: true }, { route: "POST /v1/ask" });
		expect((await fake.stemma.agents.run("desk", { input })).output).toBe("Two days.");
		const askResult = fake.stemma.ask({ question: "?", knowledge_base_ids: ["kb_1"] });
		await expect(askResult).rejects.toSatisfy(ConnectionError.is);
	});

	it("fails as often as it is told to: also never", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		fake.fail({ status: 500, code: "broken" }, { times: 0 });
		expect((await fake.stemma.agents.run("desk", { input })).status).toBe("completed");
		expect(() => fake.fail({ network: true }, { times: Number.NaN })).toThrow("`times`");
	});

	it("is retried without a wait where the app retries, and starts one run", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." }, maxRetries: 2 });
		fake.fail({ status: 503, code: "starting" }, { times: 2 });
		expect((await fake.stemma.agents.run("desk", { input })).output).toBe("Two days.");
		expect(new Set(fake.calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
		expect(fake.calls).toHaveLength(3);
	});
});

describe("what a service refuses", () => {
	it("is refused whatever is scripted, and not by a run", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		await expect(fake.stemma.agents.run("desk", {} as { input: string })).rejects.toMatchObject({
			status: 400,
			code: "invalid_request",
			param: "input",
			message: '"input" is missing.',
			details: { issues: [{ path: "input", message: "is missing." }] },
		});
		expect((await fake.stemma.runs.list()).data).toEqual([]);
		expect(fake.unscripted).toEqual([]);
	});

	it("is refused by a runtime, too", async () => {
		const fake = createFakeStemma({ agents: { desk: "Two days." } });
		const runtime = runtimeAgents({ baseUrl: "https://runtime.test", fetch: fake.fetch });
		const request = { input, background: true };
		await expect(runtime.run("desk", request)).rejects.toMatchObject({ code: "unknown_field" });
	});
});

describe("a client key", () => {
	const options = { agents: { desk: "Two days." }, credential: "client_key" } as const;

	it("sees the answer alone, and no receipt", async () => {
		const fake = createFakeStemma(options);
		const events = await readAll(fake.stemma.agents.stream("desk", { input }));
		expect(typesOf(events)).toEqual(["run.started", "text.delta", "text.delta", "run.completed"]);
		expect((await fake.stemma.agents.run("desk", { input })).receipt).toEqual([]);
	});

	it.each([
		["GET /v1/knowledge-bases/:id", (stemma: Stemma) => stemma.knowledge.get("kb_1")],
		["GET /v1/usage", (stemma: Stemma) => stemma.usage({ from: "2026-01-01" })],
	])("may not %s, though it is scripted", async (route, ask) => {
		const routes = { [route]: { id: "kb_1" } };
		const refused = ask(createFakeStemma({ ...options, routes }).stemma);
		await expect(refused).rejects.toMatchObject({ status: 403, code: "not_allowed_for_client_key" });
		await ask(createFakeStemma({ routes }).stemma);
	});

	it("may use models", async () => {
		const routes = { "GET /v1/models": { object: "list", data: [] } };
		const { client } = createFakeStemma({ ...options, routes });
		expect(await client.request({ method: "GET", path: "/v1/models" })).toMatchObject({ data: [] });
	});

	it("reaches runs by their token", async () => {
		const fake = createFakeStemma(options);
		const stream = fake.stemma.agents.stream("desk", { input });
		const { run_id } = await stream.result();
		await expect(fake.stemma.runs.get(run_id)).rejects.toMatchObject({ code: "run_not_found" });
		const { run_token } = stream;
		expect((await fake.stemma.runs.get(run_id, { run_token })).result?.output).toBe("Two days.");
	});
});

it("remembers what was asked, without credentials", async () => {
	const fake = createFakeStemma({ agents: { desk: "Two days." }, routes: { "GET /v1/usage": {} } });
	await agents(fake.client).run("desk", { input, context: { customer: "Ada" } }, { idempotencyKey: "k1" });
	await fake.stemma.usage({ from: "2026-01-01" });
	const [run, usage] = fake.calls;
	expect(run).toMatchObject({
		method: "POST",
		path: "/v1/agents/desk/run",
		body: { input, context: { customer: "Ada" } },
		headers: { "idempotency-key": "k1" },
	});
	expect(usage).toMatchObject({ method: "GET", query: { from: "2026-01-01" } });
	expect(JSON.stringify(fake.calls)).not.toMatch(/ck_fake|authorization/i);
});

describe("where the platform has little", () => {
	afterEach(() => vi.unstubAllGlobals());

	it("needs neither Response nor streams, encoders, URL or crypto", async () => {
		for (const name of [
			"Response",
			"Request",
			"Headers",
			"ReadableStream",
			"URL",
			"URLSearchParams",
			"crypto",
		])
			vi.stubGlobal(name, undefined);
		for (const name of ["TextEncoder", "TextDecoder", "fetch"]) vi.stubGlobal(name, undefined);
		const fake = createFakeStemma({ agents: { desk: "Zwei Tage, größtenteils. 👍" } });
		fake.drop({ afterEvents: 3 });
		const stream = fake.stemma.agents.stream("desk", { input });
		expect(textOf(await readAll(stream))).toBe("Zwei Tage, größtenteils. 👍");
	});
});
