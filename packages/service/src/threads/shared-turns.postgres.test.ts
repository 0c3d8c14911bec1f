import { afterEach, beforeEach, expect, it } from "vitest";
import { createId } from "../create-id";
import { start } from "../http/idempotency/in-flight-requests";
import type { ResponderReply } from "../replies/reply";
import { Responses } from "../responses/responses";
import { RunProcess } from "../runs/test-support/run-process";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { startTestInstances, type TestInstances } from "../store/postgres/test-support/test-instance";
import { toNewThread, toNewTurn } from "../store/test-support/thread-fixture";
import { INTERRUPTED } from "./stored-thread";
import { ThreadTurns } from "./thread-turns";

const never = new AbortController().signal;
const REPLY: ResponderReply = { text: "Yes.", toolCalls: [], finishReason: "stop" };
const COMPLETED = { status: "completed", text: "Yes." } as const;

describeOnPostgres("turns of a thread on several instances", (database) => {
	let instances: TestInstances;
	let workspaceId: string;
	beforeEach(async () => {
		instances = await startTestInstances(database);
		workspaceId = createId("ws");
	});
	afterEach(() => instances.close());

	async function open() {
		const instance = await instances.add();
		const store = await instance.openWorkspace(workspaceId);
		const { threads, claims } = store;
		const { runs } = new RunProcess(instance, store, 10);
		return { instance, threads, claims, turns: new ThreadTurns({ repository: threads, runs, claims }) };
	}

	it("are taken one after the other", async () => {
		const [first, second] = [await open(), await open()];
		await first.threads.insert(toNewThread("thr_1"), () => undefined);
		const answer = await first.turns.append(toNewTurn(1));
		await second.turns.append(toNewTurn(2));
		const order: string[] = [];
		const waiting = second.turns
			.waitForPredecessors({ threadId: "thr_1", messageId: "a2" }, never)
			.then(() => order.push("second"));
		await first.threads.endMessage("a1", COMPLETED, 5);
		order.push("first");
		answer.close();
		await waiting;
		expect(order).toEqual(["first", "second"]);
		expect(await first.threads.findMessage("thr_1", "a1")).toMatchObject(COMPLETED);
	});

	it("are interrupted by another instance, which waits for the end", async () => {
		const [first, second] = [await open(), await open()];
		await first.threads.insert(toNewThread("thr_1"), () => undefined);
		const answer = await first.turns.append(toNewTurn(1));
		answer.signal.addEventListener("abort", () => {
			void first.threads
				.endMessage("a1", { status: "cancelled", text: "Half" }, 5)
				.then(() => answer.close());
		});
		await second.turns.append(toNewTurn(2));
		await second.turns.interrupt({ threadId: "thr_1", messageId: "a2" });
		expect(await second.threads.findMessage("thr_1", "a1")).toMatchObject({
			status: "cancelled",
			text: "Half",
		});
	});

	it("go on where the instance of an answer has ended, and no living one loses its own", async () => {
		const [first, second] = [await open(), await open()];
		await first.threads.insert(toNewThread("thr_1"), () => undefined);
		await first.turns.append(toNewTurn(1));
		await second.turns.append(toNewTurn(2));
		await first.instance.expire();
		await second.threads.endInterrupted(INTERRUPTED, 6);
		await second.turns.waitForPredecessors({ threadId: "thr_1", messageId: "a2" }, never);
		expect(await second.threads.findMessage("thr_1", "a1")).toMatchObject({ status: "failed" });
		expect(await second.threads.listUnfinished("thr_1")).toMatchObject([{ id: "a2" }]);
		expect(await first.threads.endMessage("a1", COMPLETED, 7)).toBe(false);
	});

	it("are ended by a recovery where their end could not be stored, and no others of their instance", async () => {
		const { instance, threads, claims, turns } = await open();
		await threads.insert(toNewThread("thr_1"), () => undefined);
		const answer = await turns.append(toNewTurn(1));
		await turns.append(toNewTurn(2));
		answer.abandon();
		await instance.expire();
		await claims.recovering(() => threads.endInterrupted(INTERRUPTED, 6));
		expect(await threads.findMessage("thr_1", "a1")).toMatchObject({ status: "failed" });
		expect(await threads.listUnfinished("thr_1")).toMatchObject([{ id: "a2" }]);
	});
});

describeOnPostgres("work that several instances may do", (database) => {
	let instances: TestInstances;
	beforeEach(async () => {
		instances = await startTestInstances(database);
	});
	afterEach(() => instances.close());

	it("is done once for requests with the same key at the same time", async () => {
		const workspaceId = createId("ws");
		let running = 0;
		const work = async (): Promise<number> => {
			running += 1;
			await new Promise((resolve) => setTimeout(resolve, 20));
			const seen = running;
			running -= 1;
			return seen;
		};
		const claim = {
			caller_id: "cl_1",
			route: "POST /v1/agents",
			key: "k",
			body_fingerprint: "f",
			isShared: false,
		};
		const results = await Promise.all(
			[1, 2, 3].map(async () => {
				const store = await (await instances.add()).openWorkspace(workspaceId);
				return start({ store }, claim, work);
			}),
		);
		expect(results).toEqual([1, 1, 1]);
	});

	it("is waited for and cancelled from another instance: responses in the background", async () => {
		const workspaceId = createId("ws");
		const open = async () => {
			const store = await (await instances.add()).openWorkspace(workspaceId);
			return new Responses(store.responses, (error) => expect.unreachable(String(error)), store.claims);
		};
		const [first, second, third] = [await open(), await open(), await open()];
		const controller = new AbortController();
		const { promise, reject } = Promise.withResolvers<never>();
		controller.signal.addEventListener("abort", () => reject(controller.signal.reason));
		await first.start(
			{
				...{ id: "resp_1", owner: "cl_1", parent_id: null, background: true, created_at: 1, input: [] },
				...{ head: {}, outcome: { status: "in_progress" } },
			},
			{
				...{ controller, generate: () => promise, toError: () => ({ code: "x", message: "x" }) },
				onEnd: () => undefined,
			},
		);
		await third.recover();
		const waiting = third.waitUntilEnded("cl_1", "resp_1", never);
		const cancelled = await second.cancel("cl_1", "resp_1");
		expect(cancelled.outcome).toEqual({ status: "cancelled" });
		expect((await waiting).outcome).toEqual({ status: "cancelled" });
	});

	it("is ended by a recovery where the end of a response could not be stored", async () => {
		const instance = await instances.add();
		const { claims, responses: repository } = await instance.openWorkspace(createId("ws"));
		const failures: unknown[] = [];
		const responses = new Responses(repository, (error) => failures.push(error), claims);
		const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
		const { promise: generated, resolve: generate } = Promise.withResolvers<ResponderReply>();
		await responses.start(
			{
				...{ id: "resp_1", owner: "cl_1", parent_id: null, background: true, created_at: 1, input: [] },
				...{ head: {}, outcome: { status: "in_progress" } },
			},
			{
				...{ controller: new AbortController(), generate: () => generated, onEnd },
				toError: () => ({ code: "x", message: "x" }),
			},
		);
		instance.setFaults((sql) => (sql.startsWith('update "responses"') ? "not_sent" : undefined));
		generate(REPLY);
		await ended;
		instance.setFaults(() => undefined);
		expect([failures.length, claims.hasUnconfirmed]).toEqual([1, true]);
		await claims.recovering(() => responses.recover());
		expect((await responses.get("cl_1", "resp_1")).outcome).toMatchObject({ error: { code: "interrupted" } });
	});
});
