import { randomBytes } from "node:crypto";
import type { A2aStreamResponse, A2aTask } from "@stemma/client/a2a";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAgents } from "../end-to-end/agent-files";
import { deskGraph, FACT, ingestHandbook, QUESTION } from "../end-to-end/handbook";
import { createScene } from "../end-to-end/scene";
import { type ServiceProcess, startRuntime, startService, vendorEnvironment } from "../end-to-end/servers";
import { startVendor, VENDOR_WORDS, type Vendor } from "../end-to-end/vendor";
import { getAccessToken } from "./access-token";
import { type Commanded, startCommanded } from "./commanded";
import { isInstalled, type Peer, startPeer } from "./peers";

const scene = createScene();
const RUNTIME_TOKEN = "a-token-of-the-runtime-that-nobody-may-read";
let vendor: Vendor;
let client: Commanded;
let hook: Peer;
let service: ServiceProcess;
let runtimeUrl: string;
let clientKey: string;
let environment: Readonly<Record<string, string>>;

async function prepareService(): Promise<void> {
	environment = {
		...vendorEnvironment(vendor.baseUrl, vendor.apiKey),
		STEMMA_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
		STEMMA_OUTBOUND_ALLOW: "127.0.0.1",
	};
	service = await startService(scene, { env: environment });
	const [{ knowledgeBaseId }, key] = await Promise.all([
		ingestHandbook(service.stemma),
		service.stemma.clientKeys.create({
			name: "phone",
			native: true,
			requests_per_minute: 10_000,
			tokens_per_day: 100_000_000,
		}),
	]);
	clientKey = key.client_key;
	const agents = await scene.folder();
	await writeAgents(agents, { "desk.json": deskGraph(knowledgeBaseId) });
	const runtime = await startRuntime(scene, { agents, service, token: RUNTIME_TOKEN });
	runtimeUrl = runtime.url;
}

beforeAll(async () => {
	if (!isInstalled) return;
	vendor = await startVendor();
	[hook] = await Promise.all([startPeer(scene, "a2a-server"), prepareService()]);
	client = startCommanded("a2a-client");
});
afterAll(async () => {
	await client?.end();
	await scene.end();
	await vendor?.close();
});

type Events = readonly A2aStreamResponse[];

interface Listed {
	readonly tasks: readonly A2aTask[];
	readonly nextPageToken: string;
	readonly totalSize: number;
}

const toRequest = (text: string, more: object = {}, configuration: object = {}) => ({
	message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
	configuration,
});

const AT_ONCE = { returnImmediately: true };

/** Of what was streamed: the text of its one artifact. */
function joinText(events: Events): string {
	let text = "";
	for (const event of events) {
		const artifacts =
			"task" in event
				? (event.task.artifacts ?? [])
				: "artifactUpdate" in event
					? [event.artifactUpdate.artifact]
					: [];
		for (const { parts } of artifacts) {
			const more = parts.map((part) => part.text ?? "").join("");
			text = "artifactUpdate" in event && event.artifactUpdate.append === true ? text + more : more;
		}
	}
	return text;
}

const toState = (event: A2aStreamResponse | undefined): string | undefined => {
	if (event === undefined) return undefined;
	if ("task" in event) return event.task.status.state;
	return "statusUpdate" in event ? event.statusUpdate.status.state : undefined;
};

const demandTask = ({ task }: { readonly task?: A2aTask }): A2aTask => {
	if (task === undefined) throw new Error("It is no task.");
	return task;
};

const HOSTS = {
	service: async () => ({ url: `${service.url}/a2a/desk/`, token: await getAccessToken(service) }),
	runtime: async () => ({ url: `${runtimeUrl}/a2a/desk/`, token: RUNTIME_TOKEN }),
};

const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
const AGENTS = (["service", "runtime"] as const).flatMap((host) =>
	BINDINGS.map((binding) => ({ host, binding })),
);

describe.skipIf(!isInstalled).concurrent.each(AGENTS)(
	"the official A2A client and an agent of the $host over $binding",
	({ host, binding }) => {
		const on = `${host} ${binding}`;
		const send = async (request: object) => demandTask(await client.run("send", { on, request }));
		const stream = (request: object, take?: number) => client.run<Events>("stream", { on, request, take });

		beforeAll(async () => {
			await client.run("connect", { as: on, binding, ...(await HOSTS[host]()) });
		});

		it("reads its card", async () => {
			const { card, binding: chosen } = await client.run<{ card: object; binding: string }>("connect", {
				as: "card",
				binding,
				...(await HOSTS[host]()),
			});
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
			expect(await client.run("getTask", { on, id: task.id })).toEqual(task);
			const short = await client.run<A2aTask>("getTask", { on, id: task.id, historyLength: 0 });
			expect(short.history ?? []).toEqual([]);
		});

		it("streams text as it comes, the task first, its end last", async () => {
			const events = await stream(toRequest(`${QUESTION} #slow`));
			expect(events[0]).toHaveProperty("task.id");
			expect(toState(events.at(-1))).toBe("TASK_STATE_COMPLETED");
			expect(events.filter((event) => "artifactUpdate" in event).length).toBeGreaterThan(5);
			const [{ task }] = events as readonly [{ readonly task: A2aTask }];
			const found = await client.run<A2aTask>("getTask", { on, id: task.id });
			expect(joinText(events)).toBe(found.artifacts?.[0]?.parts[0]?.text);
		});

		it("does the same message once", async () => {
			const request = toRequest(QUESTION);
			const [first, second] = await Promise.all([send(request), send(request)]);
			expect(second.id).toBe(first.id);
		});

		it("cancels a task, at the model too", async ({ expect }) => {
			const mark = crypto.randomUUID();
			const asked = () => vendor.requests.filter(({ body }) => JSON.stringify(body).includes(mark));
			const task = await send(toRequest(`${QUESTION} #stall ${mark}`, {}, AT_ONCE));
			expect(task.status.state).toMatch(/_(SUBMITTED|WORKING)$/);
			await expect.poll(() => asked().length).toBeGreaterThan(0);
			const cancelled = await client.run<A2aTask>("cancelTask", { on, id: task.id });
			expect(cancelled.status.state).toBe("TASK_STATE_CANCELED");
			expect(await client.run("getTask", { on, id: task.id })).toMatchObject({
				status: { state: "TASK_STATE_CANCELED" },
			});
			await expect.poll(() => asked().some(({ isAborted }) => isAborted)).toBe(true);
		});

		it("follows a task that has begun, from what there is to its end", async () => {
			const request = toRequest(`${QUESTION} #slow`);
			const [{ task }] = (await stream(request, 3)) as readonly [{ readonly task: A2aTask }];
			const events = await client.run<Events>("subscribe", { on, id: task.id });
			expect(events[0]).toHaveProperty("task.id", task.id);
			expect(toState(events[0])).toBe("TASK_STATE_WORKING");
			expect(toState(events.at(-1))).toBe("TASK_STATE_COMPLETED");
			const found = await client.run<A2aTask>("getTask", { on, id: task.id });
			expect(joinText(events)).toBe(found.artifacts?.[0]?.parts[0]?.text);
		});

		it("lists tasks by context and state, page by page", async () => {
			const contextId = crypto.randomUUID();
			const sent = await Promise.all(
				Array.from({ length: 3 }, () => send(toRequest(QUESTION, { contextId }))),
			);
			const list = (query: object) => client.run<Listed>("listTasks", { on, query: { contextId, ...query } });
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
			expect(JSON.stringify(task)).not.toContain(VENDOR_WORDS);
		});

		it.each([
			["getTask", { id: "run_nowhere" }, "TASK_NOT_FOUND"],
			["cancelTask", { id: "run_nowhere" }, "TASK_NOT_FOUND"],
			["subscribe", { id: "run_nowhere" }, "TASK_NOT_FOUND"],
			["send", { request: toRequest("x", { taskId: "run_nowhere" }) }, "TASK_NOT_FOUND"],
		])("is told of what is not there: %s", async (command, params, reason) => {
			await expect(client.run(command, { on, ...params })).rejects.toMatchObject({ told: { reason } });
		});

		it("is told what cannot be done with a task that has ended", async () => {
			const { id } = await send(toRequest(QUESTION));
			for (const [command, params, reason] of [
				["cancelTask", { id }, "TASK_NOT_CANCELABLE"],
				["subscribe", { id }, "UNSUPPORTED_OPERATION"],
				["send", { request: toRequest("and then?", { taskId: id }) }, "UNSUPPORTED_OPERATION"],
			] as const)
				await expect(client.run(command, { on, ...params })).rejects.toMatchObject({ told: { reason } });
		});

		it("is told what is wrong with a message", async () => {
			const nothing = { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [] } };
			await expect(client.run("send", { on, request: nothing })).rejects.toThrow(/parts/);
		});

		it("has its news posted where it wants, or is told that there are none", async ({ expect }) => {
			const task = await send(toRequest(`${QUESTION} #slow`, {}, AT_ONCE));
			const token = `token-of-${task.id}`;
			const config = { taskId: task.id, id: "mine", url: `${hook.url}/hook`, token };
			const set = client.run("setPushConfig", { on, config });
			if (host === "runtime")
				return expect(set).rejects.toMatchObject({ told: { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" } });
			expect(await set).toMatchObject({ id: "mine", taskId: task.id, url: `${hook.url}/hook` });
			expect(await client.run("listPushConfigs", { on, taskId: task.id })).toEqual([
				expect.objectContaining({ id: "mine" }),
			]);
			await expect
				.poll(async () =>
					(await hook.seen("/hook")).filter(({ headers }) => headers?.["x-a2a-notification-token"] === token),
				)
				.not.toEqual([]);
			await client.run("deletePushConfig", { on, taskId: task.id, id: "mine" });
			expect(await client.run("listPushConfigs", { on, taskId: task.id })).toEqual([]);
		});

		it.each([
			{ title: "no credential", token: undefined },
			{ title: "a wrong one", token: "of-nobody" },
		])("is not let in with $title", async ({ token }) => {
			const { url } = await HOSTS[host]();
			await expect(client.run("connect", { as: "nobody", binding, url, token })).rejects.toThrow(/401|card/i);
		});
	},
);

describe.skipIf(!isInstalled).concurrent("the official A2A client and the service", () => {
	it.each(BINDINGS)("finds its own tasks with a client key, and lists none: %s", async (binding) => {
		const on = `key ${binding}`;
		await client.run("connect", { as: on, binding, url: `${service.url}/a2a/desk/`, token: clientKey });
		const task = demandTask(await client.run("send", { on, request: toRequest(QUESTION) }));
		expect(task.artifacts?.[0]?.parts[0]?.text).toContain(FACT);
		expect(await client.run("getTask", { on, id: task.id })).toEqual(task);
		await expect(client.run("listTasks", { on })).rejects.toMatchObject({
			told: { reason: "UNSUPPORTED_OPERATION" },
		});
		const [guessed] = task.id.split(".");
		await expect(client.run("getTask", { on, id: guessed })).rejects.toMatchObject({
			told: { reason: "TASK_NOT_FOUND" },
		});
	});

	it("finds tasks again after a restart", async () => {
		const data = await scene.folder();
		const connect = async (to: ServiceProcess) => {
			const token = await getAccessToken(to);
			for (const binding of BINDINGS) {
				const on = `restart ${binding}`;
				await client.run("connect", { as: on, binding, url: `${to.url}/a2a/desk/`, token });
			}
		};
		const first = await startService(scene, { data, env: environment });
		await ingestHandbook(first.stemma);
		await connect(first);
		const on = "restart JSONRPC";
		const contextId = crypto.randomUUID();
		const send = async (text: string, configuration: object) =>
			demandTask(await client.run("send", { on, request: toRequest(text, { contextId }, configuration) }));
		const ended = await send(QUESTION, {});
		const running = await send(`${QUESTION} #stall`, AT_ONCE);
		first.program.kill("SIGKILL");
		await first.program.ended;

		const second = await startService(scene, { data, env: environment });
		await connect(second);
		for (const binding of BINDINGS) {
			const on = `restart ${binding}`;
			expect(await client.run("getTask", { on, id: ended.id })).toEqual(ended);
			const { tasks } = await client.run<Listed>("listTasks", { on, query: { contextId } });
			expect(tasks.map(({ id }) => id).toSorted()).toEqual([ended.id, running.id].toSorted());
			expect(await client.run("getTask", { on, id: running.id })).toMatchObject({
				status: {
					state: "TASK_STATE_FAILED",
					message: {
						parts: expect.arrayContaining([{ data: expect.objectContaining({ code: "interrupted" }) }]),
					},
				},
			});
			for (const { id } of [ended, running])
				await expect(client.run("subscribe", { on, id })).rejects.toMatchObject({
					told: { reason: "UNSUPPORTED_OPERATION" },
				});
		}
	});
});
