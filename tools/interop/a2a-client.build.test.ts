import { type A2aBinding, type A2aStreamResponse, createA2aClient } from "@stemma/client/a2a";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getTask } from "./a2a-messages";
import { isInstalled, type Peer, startPeer } from "./peers";

const harness = createHarness();
let peer: Peer;

beforeAll(async () => {
	if (isInstalled) peer = await startPeer(harness, "a2a-server");
});
afterAll(() => harness.end());

const toAgent = (name: string, binding?: A2aBinding) =>
	createA2aClient({ url: `${peer.url}/${name}`, binding, retryDelayMs: 20 });

async function collect(events: AsyncIterable<A2aStreamResponse>): Promise<readonly A2aStreamResponse[]> {
	const all: A2aStreamResponse[] = [];
	for await (const event of events) all.push(event);
	return all;
}

const toKinds = (events: readonly A2aStreamResponse[]): readonly string[] =>
	events.map((event) => {
		if ("statusUpdate" in event) return event.statusUpdate.status.state;
		return "artifactUpdate" in event
			? (event.artifactUpdate.artifact.parts[0]?.text ?? "")
			: Object.keys(event).join();
	});

/** Until the agent has told of it. */
const waitForEvent = (event: string, taskId: string | undefined) =>
	expect.poll(() => peer.received()).toContainEqual(expect.objectContaining({ event, taskId }));

describe.skipIf(!isInstalled).each(["JSONRPC", "HTTP+JSON"] as const)(
	"the A2A client and an official agent over %s",
	(binding) => {
		const agent = () => toAgent("both", binding);

		it("is answered with a message", async () => {
			const answer = await agent().send("message good morning");
			expect(answer).toMatchObject({
				message: { role: "ROLE_AGENT", parts: [{ text: "You said: good morning" }] },
			});
		});

		it("is answered with a task that has ended", async () => {
			const task = getTask(await agent().send("count 3"));
			expect(task.status.state).toBe("TASK_STATE_COMPLETED");
			expect(task.artifacts).toEqual([
				expect.objectContaining({
					artifactId: "answer",
					parts: [{ text: "1 " }, { text: "2 " }, { text: "3 " }],
				}),
			]);
		});

		it("streams a task, piece by piece", async () => {
			const stream = agent().stream("count 3");
			expect(toKinds(await collect(stream))).toEqual([
				"task",
				"TASK_STATE_WORKING",
				"1 ",
				"2 ",
				"3 ",
				"TASK_STATE_COMPLETED",
			]);
			expect(await stream.text()).toBe("1 2 3 ");
			expect(getTask(await stream.result()).id).toBe(stream.taskId);
		});

		it("reads data, bytes and addresses", async () => {
			const { artifacts } = getTask(await agent().send("parts"));
			expect(artifacts?.[0]?.parts).toEqual([
				{ data: { rows: [1, 2] } },
				{ raw: "aGVsbG8=", mediaType: "text/plain", filename: "hello.txt" },
				{ url: "https://files.example/plan.pdf", mediaType: "application/pdf" },
			]);
		});

		it("finds a task again, with and without its messages", async () => {
			const { id, contextId } = getTask(await agent().send("count 2"));
			const found = await agent().getTask(id);
			expect(found).toMatchObject({ id, contextId, status: { state: "TASK_STATE_COMPLETED" } });
			expect(found.history).toHaveLength(1);
			expect((await agent().getTask(id, { historyLength: 0 })).history ?? []).toEqual([]);
		});

		it("lists tasks, page by page", async () => {
			const contextId = crypto.randomUUID();
			const sent: string[] = [];
			for (let count = 0; count < 3; count += 1)
				sent.push(getTask(await agent().send({ contextId, parts: [{ text: "count 1" }] })).id);
			const first = await agent().listTasks({ contextId, pageSize: 2 });
			expect(first).toMatchObject({ pageSize: 2, totalSize: 3, nextPageToken: expect.stringMatching(/./) });
			const listed: string[] = [];
			for await (const { id } of agent().listTasks({ contextId, pageSize: 2 })) listed.push(id);
			expect(listed.toSorted()).toEqual(sent.toSorted());
			expect(await agent().listTasks({ contextId, status: "TASK_STATE_FAILED" })).toMatchObject({
				tasks: [],
			});
		});

		it("cancels a task by its id", async () => {
			const task = getTask(await agent().send("forever", { returnImmediately: true }));
			expect(task.status.state).toMatch(/_(SUBMITTED|WORKING)$/);
			expect(await agent().cancelTask(task.id)).toMatchObject({ status: { state: "TASK_STATE_CANCELED" } });
			await waitForEvent("cancelled", task.id);
		});

		it("cancels the task of a stream, and reads on to its end", async () => {
			const stream = agent().stream("forever");
			for await (const event of stream) if ("statusUpdate" in event) stream.cancel();
			await waitForEvent("cancelled", stream.taskId);
			expect(getTask(await stream.result()).status.state).toBe("TASK_STATE_CANCELED");
		});

		it("cancels the task when its signal aborts", async () => {
			const abort = new AbortController();
			const stream = agent().stream("forever", { signal: abort.signal });
			const read = (async () => {
				for await (const event of stream) if ("statusUpdate" in event) abort.abort(new Error("enough"));
			})();
			await expect(read).rejects.toThrow("enough");
			await waitForEvent("cancelled", stream.taskId);
		});

		it("follows a task that another has started", async () => {
			const { id } = getTask(await agent().send("slowly 8", { returnImmediately: true }));
			const stream = agent().subscribe(id);
			const events = await collect(stream);
			expect(events[0]).toHaveProperty("task.id", id);
			expect(await stream.text()).toBe("1 2 3 4 5 6 7 8 ");
		});

		it("takes a stream up again that was cut, and sends the message once", async () => {
			const name = binding === "JSONRPC" ? "drops" : "drops-rest";
			const stream = toAgent(name).stream("slowly 12");
			const kinds = toKinds(await collect(stream));
			expect(kinds.filter((kind) => kind === "task").length).toBeGreaterThan(1);
			expect(kinds.at(-1)).toBe("TASK_STATE_COMPLETED");
			expect(await stream.text()).toBe("1 2 3 4 5 6 7 8 9 10 11 12 ");
			const started = (await peer.received()).filter(
				({ event, taskId }) => event === "executes" && taskId === stream.taskId,
			);
			expect(started).toHaveLength(1);
		});

		it("answers what a task asks for", async () => {
			const stream = agent().stream("ask");
			const pausedTask = getTask(await stream.result());
			expect(pausedTask.status).toMatchObject({
				state: "TASK_STATE_INPUT_REQUIRED",
				message: { parts: [{ text: "Which one?" }] },
			});
			expect(await stream.text()).toBe("Which one?");
			const { id: taskId, contextId } = pausedTask;
			const answer = await agent().stream({ taskId, contextId, parts: [{ text: "the blue one" }] });
			expect(await answer.text()).toBe("You chose the blue one.");
			expect(answer.taskId).toBe(taskId);
		});

		it("decides by data what a task waits for", async () => {
			const stream = agent().stream("authorize");
			const waiting = getTask(await stream.result());
			expect(waiting.status).toMatchObject({
				state: "TASK_STATE_AUTH_REQUIRED",
				message: { parts: [{ text: "May it be refunded?" }] },
			});
			const decision = { approval_id: "apr_1", decision: "approve" };
			const { id: taskId } = waiting;
			const task = getTask(await agent().send({ taskId, parts: [{ data: decision }] }));
			expect(task).toMatchObject({ id: taskId, status: { state: "TASK_STATE_COMPLETED" } });
			expect(task.artifacts?.[0]?.parts[0]?.text).toBe(`You chose ${JSON.stringify(decision)}.`);
		});

		it("reads its extended card, which takes the place of the public one", async () => {
			const both = agent();
			expect((await both.card()).description).toBe("Does what the first word says.");
			expect((await both.extendedCard()).description).toBe("Says more to those it knows.");
			expect((await both.card()).description).toBe("Says more to those it knows.");
			const plain = toAgent(binding === "JSONRPC" ? "plain" : "rest", binding);
			await expect(plain.extendedCard()).rejects.toMatchObject({
				code: "extended_agent_card_not_configured",
			});
		});

		it.each([
			["fail", "TASK_STATE_FAILED", "task_failed", "The warehouse is closed."],
			["reject", "TASK_STATE_REJECTED", "task_rejected", "Not here."],
			["throw", "TASK_STATE_FAILED", "task_failed", "Agent execution error: Nobody expected this."],
		])("tells how a task ended that has no answer: %s", async (text, state, code, message) => {
			expect(getTask(await agent().send(text)).status.state).toBe(state);
			const stream = agent().stream(text);
			expect(getTask(await stream.result()).status.state).toBe(state);
			await expect(stream.text()).rejects.toMatchObject({ code, message });
		});

		it("keeps the addresses for news, and is told there", async () => {
			const { id: taskId } = getTask(await agent().send("forever", { returnImmediately: true }));
			const { pushConfigs } = agent();
			const url = `${peer.url}/hook`;
			const set = await pushConfigs.set(taskId, { id: "mine", url, token: "a-token-of-mine" });
			expect(set).toMatchObject({ id: "mine", taskId, url });
			expect(await pushConfigs.get(taskId, "mine")).toMatchObject({ id: "mine", url });
			expect(await pushConfigs.list(taskId)).toEqual([expect.objectContaining({ id: "mine", url })]);
			await agent().cancelTask(taskId);
			await expect
				.poll(() => peer.received("/hook"))
				.toContainEqual(
					expect.objectContaining({
						headers: expect.objectContaining({ "x-a2a-notification-token": "a-token-of-mine" }),
					}),
				);
			await pushConfigs.delete(taskId, "mine");
			expect(await pushConfigs.list(taskId)).toEqual([]);
		});

		it("tells errors by the names of the protocol", async () => {
			const both = agent();
			const { id } = getTask(await both.send("count 1"));
			const unknown = { reason: "TASK_NOT_FOUND", code: "task_not_found" };
			await expect(both.getTask("nowhere")).rejects.toMatchObject(unknown);
			await expect(both.cancelTask("nowhere")).rejects.toMatchObject(unknown);
			await expect(both.subscribe("nowhere").result()).rejects.toMatchObject(unknown);
			await expect(both.send({ taskId: "nowhere", parts: [{ text: "count 1" }] })).rejects.toMatchObject(
				unknown,
			);
			await expect(both.cancelTask(id)).rejects.toMatchObject({
				reason: "TASK_NOT_CANCELABLE",
				code: "task_not_cancelable",
				...(binding === "JSONRPC" ? { rpcCode: -32002 } : { httpStatus: 400 }),
			});
			const silent = toAgent(binding === "JSONRPC" ? "plain" : "rest", binding);
			const task = getTask(await silent.send("count 1"));
			await expect(silent.pushConfigs.set(task.id, { url: `${peer.url}/hook` })).rejects.toMatchObject({
				reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
			});
		});

		it("reads the end of a task that ended before it was followed", async () => {
			const { id } = getTask(await agent().send("count 2"));
			expect(await agent().subscribe(id).text()).toBe("1 2 ");
		});

		it("says which version it speaks", async () => {
			await agent().send("message x");
			const path = binding === "JSONRPC" ? "/both/rpc" : "/both/v1";
			const versions = (await peer.received(path)).map(({ headers }) => headers?.["a2a-version"]);
			expect(new Set(versions)).toEqual(new Set(["1.0"]));
		});
	},
);

describe.skipIf(!isInstalled)("the A2A client and the card of an official agent", () => {
	it("speaks HTTP+JSON where there is nothing else", async () => {
		expect(await toAgent("rest").stream("count 2").text()).toBe("1 2 ");
		expect((await peer.received("/rest/v1")).map(({ path }) => path)).toContain("/rest/v1/message:stream");
	});

	it("takes the first interface of the card", async () => {
		const before = (await peer.received("/both/v1")).length;
		await toAgent("both").send("message x");
		expect((await peer.received("/both/v1")).length).toBe(before);
	});

	it("waits for the whole answer of an agent that cannot stream", async () => {
		const stream = toAgent("plain").stream("count 2");
		expect(toKinds(await collect(stream))).toEqual(["task"]);
		expect(await stream.text()).toBe("1 2 ");
	});

	it("refuses an agent of A2A 0.3", async () => {
		await expect(toAgent("old").send("message x")).rejects.toMatchObject({
			reason: "VERSION_NOT_SUPPORTED",
			message: expect.stringContaining("0.3"),
		});
	});

	it("reads the card once for many calls at the same time", async () => {
		const path = "/both/.well-known/agent-card.json";
		const before = (await peer.received(path)).length;
		const one = toAgent("both");
		await Promise.all(Array.from({ length: 10 }, (_, index) => one.send(`message ${index}`)));
		expect((await peer.received(path)).length).toBe(before + 1);
	});
});
