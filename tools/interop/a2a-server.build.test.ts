import type { A2aStreamResponse, A2aTask } from "@stemma/client/a2a";
import type { Approval } from "@stemma/core";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FACT, QUESTION } from "../end-to-end/handbook";
import { VENDOR_ERROR_TEXT } from "../end-to-end/vendor";
import { type A2aFixture, type AgentTarget, BINDINGS, createA2aFixture, toAgentTarget } from "./a2a-fixture";
import { getTask, joinText, type ListedTasks, RETURN_IMMEDIATELY, toRequest, toState } from "./a2a-messages";
import { isInstalled, type Peer, startPeer } from "./peers";

const harness = createHarness();
let fixture: A2aFixture;
let hook: Peer;
let toRuntimeTarget: (agent?: string) => AgentTarget;

beforeAll(async () => {
	if (!isInstalled) return;
	[fixture, hook] = await Promise.all([createA2aFixture(), startPeer(harness, "a2a-server")]);
	toRuntimeTarget = await fixture.startRuntime();
});
afterAll(async () => {
	await Promise.all([fixture?.close(), harness.end()]);
});

type Events = readonly A2aStreamResponse[];

/** What a waiting task waits for. */
const toApprovals = ({ message }: A2aTask["status"]): readonly Approval[] =>
	(message?.parts[1]?.data as { readonly approvals?: unknown } | undefined)?.approvals as readonly Approval[];

const targets = {
	service: (agent?: string) => toAgentTarget(fixture.service, agent),
	runtime: async (agent?: string) => toRuntimeTarget(agent),
};
const AGENTS = (["service", "runtime"] as const).flatMap((host) =>
	BINDINGS.map((binding) => ({ host, binding })),
);

describe.skipIf(!isInstalled).concurrent.each(AGENTS)(
	"the official A2A client and an agent of the $host over $binding",
	({ host, binding }) => {
		const on = `${host} ${binding}`;
		const send = async (request: object) => getTask(await fixture.client.run("send", { on, request }));
		const stream = (request: object, take?: number) =>
			fixture.client.run<Events>("stream", { on, request, take });

		beforeAll(async () => {
			await fixture.client.run("connect", { as: on, binding, ...(await targets[host]()) });
		});

		it("reads its card", async () => {
			const { card, binding: chosen } = await fixture.client.run<{ card: object; binding: string }>(
				"connect",
				{
					as: "card",
					binding,
					...(await targets[host]()),
				},
			);
			expect(chosen).toBe(binding);
			expect(card).toMatchObject({
				name: "desk",
				description: expect.stringMatching(/./),
				capabilities: { streaming: true },
				skills: [expect.objectContaining({ id: expect.stringContaining("desk") })],
				supportedInterfaces: expect.arrayContaining([
					expect.objectContaining({ protocolBinding: binding, protocolVersion: "1.0" }),
				]),
			});
		});

		it("is answered, and finds the task again", async () => {
			const request = toRequest(QUESTION);
			const task = await send(request);
			expect(task.status.state).toBe("TASK_STATE_COMPLETED");
			const [answer] = task.artifacts ?? [];
			expect(answer?.parts[0]?.text).toContain(FACT);
			expect(answer?.metadata).toMatchObject({
				citations: [expect.objectContaining({ n: expect.any(Number) })],
			});
			expect(task.history).toEqual([expect.objectContaining({ messageId: request.message.messageId })]);
			expect(await fixture.client.run("getTask", { on, id: task.id })).toEqual(task);
			const short = await fixture.client.run<A2aTask>("getTask", { on, id: task.id, historyLength: 0 });
			expect(short.history ?? []).toEqual([]);
		});

		it("streams text as it comes, the task first, its end last", async () => {
			const events = await stream(toRequest(`${QUESTION} #slow`));
			expect(events[0]).toHaveProperty("task.id");
			expect(toState(events.at(-1))).toBe("TASK_STATE_COMPLETED");
			expect(events.filter((event) => "artifactUpdate" in event).length).toBeGreaterThan(5);
			const [{ task }] = events as readonly [{ readonly task: A2aTask }];
			const found = await fixture.client.run<A2aTask>("getTask", { on, id: task.id });
			expect(joinText(events)).toBe(found.artifacts?.[0]?.parts[0]?.text);
		});

		it("does the same message once", async () => {
			const request = toRequest(QUESTION);
			const [first, second] = await Promise.all([send(request), send(request)]);
			expect(second.id).toBe(first.id);
		});

		it("cancels a task, at the model too", async ({ expect }) => {
			const mark = crypto.randomUUID();
			const asked = () => fixture.vendor.requests.filter(({ body }) => JSON.stringify(body).includes(mark));
			const task = await send(toRequest(`${QUESTION} #stall ${mark}`, {}, RETURN_IMMEDIATELY));
			expect(task.status.state).toMatch(/_(SUBMITTED|WORKING)$/);
			await expect.poll(() => asked().length).toBeGreaterThan(0);
			const cancelled = await fixture.client.run<A2aTask>("cancelTask", { on, id: task.id });
			expect(cancelled.status.state).toBe("TASK_STATE_CANCELED");
			expect(await fixture.client.run("getTask", { on, id: task.id })).toMatchObject({
				status: { state: "TASK_STATE_CANCELED" },
			});
			await expect.poll(() => asked().some(({ isAborted }) => isAborted)).toBe(true);
		});

		it("follows a task that has begun, from what there is to its end", async () => {
			const request = toRequest(`${QUESTION} #slow`);
			const [{ task }] = (await stream(request, 3)) as readonly [{ readonly task: A2aTask }];
			const events = await fixture.client.run<Events>("subscribe", { on, id: task.id });
			expect(events[0]).toHaveProperty("task.id", task.id);
			expect(toState(events[0])).toBe("TASK_STATE_WORKING");
			expect(toState(events.at(-1))).toBe("TASK_STATE_COMPLETED");
			const found = await fixture.client.run<A2aTask>("getTask", { on, id: task.id });
			expect(joinText(events)).toBe(found.artifacts?.[0]?.parts[0]?.text);
		});

		it("lists tasks by context and state, page by page", async () => {
			const contextId = crypto.randomUUID();
			const sent = await Promise.all(
				Array.from({ length: 3 }, () => send(toRequest(QUESTION, { contextId }))),
			);
			const list = (query: object) =>
				fixture.client.run<ListedTasks>("listTasks", { on, query: { contextId, ...query } });
			const first = await list({ pageSize: 2 });
			expect(first).toMatchObject({ totalSize: 3, nextPageToken: expect.stringMatching(/./) });
			const rest = await list({ pageSize: 2, pageToken: first.nextPageToken });
			expect(rest.nextPageToken).toBe("");
			const ids = [...first.tasks, ...rest.tasks].map(({ id }) => id);
			expect(ids.toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
			expect((await list({ status: "TASK_STATE_FAILED" })).tasks).toEqual([]);
			expect((await list({ status: "TASK_STATE_COMPLETED" })).tasks).toHaveLength(3);
		});

		it("is told that a task failed, without what the model's vendor said", async () => {
			const task = await send(toRequest(`${QUESTION} #fail`));
			expect(task.status).toMatchObject({
				state: "TASK_STATE_FAILED",
				message: { parts: expect.arrayContaining([{ text: expect.stringMatching(/./) }]) },
			});
			expect(JSON.stringify(task)).not.toContain(VENDOR_ERROR_TEXT);
		});

		it.each([
			["getTask", { id: "run_nowhere" }, "TASK_NOT_FOUND"],
			["cancelTask", { id: "run_nowhere" }, "TASK_NOT_FOUND"],
			["subscribe", { id: "run_nowhere" }, "TASK_NOT_FOUND"],
			["send", { request: toRequest("x", { taskId: "run_nowhere" }) }, "TASK_NOT_FOUND"],
		])("is told of what is not there: %s", async (command, params, reason) => {
			await expect(fixture.client.run(command, { on, ...params })).rejects.toMatchObject({
				details: { reason },
			});
		});

		it("is told what cannot be done with a task that has ended", async () => {
			const { id } = await send(toRequest(QUESTION));
			for (const [command, params, reason] of [
				["cancelTask", { id }, "TASK_NOT_CANCELABLE"],
				["subscribe", { id }, "UNSUPPORTED_OPERATION"],
				["send", { request: toRequest("and then?", { taskId: id }) }, "UNSUPPORTED_OPERATION"],
			] as const)
				await expect(fixture.client.run(command, { on, ...params })).rejects.toMatchObject({
					details: { reason },
				});
		});

		it("waits for an approval, is answered meanwhile, and goes on by a decision within a message", async () => {
			const at = `${on} waiting`;
			await fixture.client.run("connect", { as: at, binding, ...(await targets[host]("waiting-desk")) });
			const ask = async (request: object) => getTask(await fixture.client.run("send", { on: at, request }));
			const { id: taskId, status } = await ask(toRequest(QUESTION));
			expect(status.state).toBe("TASK_STATE_AUTH_REQUIRED");
			const [approval] = toApprovals(status);
			const subscribed = fixture.client.run<Events>("subscribe", { on: at, id: taskId });
			const spoken = await ask(toRequest("Please.", { taskId }));
			expect(spoken).toMatchObject({ id: taskId, status: { state: "TASK_STATE_AUTH_REQUIRED" } });
			expect(spoken.status.message?.parts[0]?.text).toContain("contains no decision");
			const data = { approval_id: approval?.id, decision: "approve" };
			const request = toRequest("", { taskId, parts: [{ data }] });
			const events = await fixture.client.run<Events>("stream", { on: at, request });
			for (const all of [events, await subscribed]) {
				expect(all[0]).toHaveProperty("task.id", taskId);
				expect(toState(all.at(-1))).toBe("TASK_STATE_COMPLETED");
				expect(joinText(all)).toContain(FACT);
			}
		});

		it("is told that there is no extended card", async () => {
			await expect(fixture.client.run("extendedCard", { on })).rejects.toMatchObject({
				details: { reason: "UNSUPPORTED_OPERATION" },
			});
		});

		it("is told what is wrong with a message", async () => {
			const nothing = { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [] } };
			await expect(fixture.client.run("send", { on, request: nothing })).rejects.toThrow(/parts/);
		});

		it("has its news posted where it wants, or is told that there are none", async ({ expect }) => {
			const task = await send(toRequest(`${QUESTION} #slow`, {}, RETURN_IMMEDIATELY));
			const token = `token-of-${task.id}`;
			const config = { taskId: task.id, id: "mine", url: `${hook.url}/hook`, token };
			const set = fixture.client.run("setPushConfig", { on, config });
			if (host === "runtime")
				return expect(set).rejects.toMatchObject({ details: { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" } });
			expect(await set).toMatchObject({ id: "mine", taskId: task.id, url: `${hook.url}/hook` });
			expect(await fixture.client.run("listPushConfigs", { on, taskId: task.id })).toEqual([
				expect.objectContaining({ id: "mine" }),
			]);
			expect(await fixture.client.run("getPushConfig", { on, taskId: task.id, id: "mine" })).toMatchObject({
				id: "mine",
				url: `${hook.url}/hook`,
			});
			await expect
				.poll(async () =>
					(await hook.received("/hook")).filter(
						({ headers }) => headers?.["x-a2a-notification-token"] === token,
					),
				)
				.not.toEqual([]);
			await fixture.client.run("deletePushConfig", { on, taskId: task.id, id: "mine" });
			expect(await fixture.client.run("listPushConfigs", { on, taskId: task.id })).toEqual([]);
		});

		it.each([
			{ title: "no credential", token: undefined },
			{ title: "a wrong one", token: "of-nobody" },
		])("is not let in with $title", async ({ token }) => {
			const { url } = await targets[host]();
			await expect(fixture.client.run("connect", { as: "nobody", binding, url, token })).rejects.toThrow(
				/401|card/i,
			);
		});
	},
);
