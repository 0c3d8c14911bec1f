import { afterEach, describe, expect, it, vi } from "vitest";
import { useTestServer } from "../test-support/test-client";
import { sendJson } from "../test-support/test-server";
import { agentAt, cardOf, type FakeAgent, serveAgent, statusOf, taskOf } from "./test-support/fake-agent";

/** One test for each MUST and SHOULD of A2A 1.0.1 that a client has to keep, by its section. */
const server = useTestServer();
afterEach(() => vi.useRealTimers());

const CARD = "/.well-known/agent-card.json";
const PUSH = { url: "https://a.example/hook" };

const interfaceAt = (path: string, protocolBinding: string, protocolVersion = "1.0") => ({
	url: `${server().url}${path}`,
	protocolBinding,
	protocolVersion,
});

/** An agent that answers each method, over both bindings. */
function serveBothBindings(card: object = {}): FakeAgent {
	const agent = serveAgent(server(), cardOf(server().url, card));
	const task = taskOf("COMPLETED");
	agent.on("SendMessage", ({ reply }) => reply({ task }));
	agent.on("GetTask", ({ reply }) => reply(task));
	agent.on("CancelTask", ({ reply }) => reply(task));
	agent.on("ListTasks", ({ reply }) => reply({ tasks: [task], nextPageToken: "" }));
	agent.on("CreateTaskPushNotificationConfig", ({ reply }) => reply({ ...PUSH, id: "p", taskId: "task_1" }));
	server().on("POST /rest/message:send", (_, response) => sendJson(response, { task }));
	server().on("GET /rest/tasks/task_1", (_, response) => sendJson(response, task));
	server().on("GET /rest/tasks", (_, response) => sendJson(response, { tasks: [], nextPageToken: "" }));
	return agent;
}

const pathsOf = () => server().requests.map(({ method, path }) => `${method} ${path}`);

describe("3.6.1 Versioning", () => {
	it.each(["JSONRPC", "HTTP+JSON"] as const)(
		"MUST send A2A-Version with each request: %s",
		async (binding) => {
			serveBothBindings({
				supportedInterfaces: [interfaceAt("/rpc", "JSONRPC"), interfaceAt("/rest", "HTTP+JSON")],
			});
			const agent = agentAt(server(), { binding });
			await agent.send("hi");
			await agent.getTask("task_1");
			await agent.listTasks();
			expect(server().requests).toHaveLength(4);
			for (const { headers } of server().requests) expect(headers["a2a-version"]).toBe("1.0");
		},
	);

	it("3.6.3 does not fall back to an older version by itself", async () => {
		serveBothBindings({ supportedInterfaces: [interfaceAt("/rpc", "JSONRPC", "0.3")] });
		await expect(agentAt(server()).send("hi")).rejects.toMatchObject({ reason: "VERSION_NOT_SUPPORTED" });
		expect(pathsOf()).toEqual([`GET ${CARD}`]);
	});

	it("3.6 MUST NOT consider patch versions of the card", async () => {
		serveBothBindings({ supportedInterfaces: [interfaceAt("/rpc", "JSONRPC", "1.0.7")] });
		expect(await agentAt(server()).getTask("task_1")).toMatchObject({ id: "task_1" });
	});
});

describe("8.3.2 Client Protocol Selection", () => {
	it.each([
		["JSONRPC, HTTP+JSON", ["JSONRPC", "HTTP+JSON"], "POST /rpc"],
		["HTTP+JSON, JSONRPC", ["HTTP+JSON", "JSONRPC"], "GET /rest/tasks/task_1"],
		["GRPC, HTTP+JSON, JSONRPC", ["GRPC", "HTTP+JSON", "JSONRPC"], "GET /rest/tasks/task_1"],
	])("MUST select the first supported interface of %s, at its URL", async (_, bindings, requestedPath) => {
		const paths: Readonly<Record<string, string>> = { JSONRPC: "/rpc", "HTTP+JSON": "/rest", GRPC: "/grpc" };
		serveBothBindings({
			supportedInterfaces: bindings.map((binding) => interfaceAt(paths[binding] ?? "", binding)),
		});
		await agentAt(server()).getTask("task_1");
		expect(pathsOf().at(-1)).toBe(requestedPath);
	});

	it("5.2 SHOULD fall back to another interface where the first cannot be used", async () => {
		const otherInterface = {
			url: "https://elsewhere.example/rpc",
			protocolBinding: "JSONRPC",
			protocolVersion: "1.0",
		};
		serveBothBindings({
			supportedInterfaces: [
				otherInterface,
				interfaceAt("/old", "JSONRPC", "0.3"),
				interfaceAt("/rest", "HTTP+JSON"),
			],
		});
		await agentAt(server()).getTask("task_1");
		expect(pathsOf().at(-1)).toBe("GET /rest/tasks/task_1");
	});
});

describe("8.6.2 Caching", () => {
	it("SHOULD honor max-age, and ask by If-None-Match after it", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		serveBothBindings();
		server().on(`GET ${CARD}`, ({ headers }, response) => {
			response.setHeader("etag", '"v1"').setHeader("cache-control", "max-age=60");
			if (headers["if-none-match"] === '"v1"') response.writeHead(304).end();
			else sendJson(response, cardOf(server().url));
		});
		const agent = agentAt(server());
		await agent.card();
		await agent.card();
		vi.setSystemTime(Date.now() + 61_000);
		expect(await agent.card()).toMatchObject({ name: "Fake" });
		expect(server().requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"v1"']);
	});
});

describe("3.3.4 Capability Validation", () => {
	it("SHOULD look at the card before push configurations", async () => {
		serveBothBindings({ capabilities: { streaming: true } });
		const { pushConfigs } = agentAt(server());
		for (const work of [
			pushConfigs.set("task_1", PUSH),
			pushConfigs.get("task_1", "p"),
			pushConfigs.list("task_1"),
			pushConfigs.delete("task_1", "p"),
		])
			await expect(work).rejects.toMatchObject({ reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" });
		expect(new Set(pathsOf())).toEqual(new Set([`GET ${CARD}`]));
	});

	it("SHOULD look at the card before an extended card, and before streams", async () => {
		const fake = serveBothBindings({ capabilities: {} });
		const agent = agentAt(server());
		await expect(agent.extendedCard()).rejects.toMatchObject({
			reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
		});
		await agent.stream("hi").result();
		expect(fake.calls.map(({ method }) => method)).toEqual(["SendMessage"]);
	});
});

describe("3.1.11 Extended Agent Card", () => {
	it("SHOULD replace the cached card, until that changes", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		let version = "1";
		const fake = serveBothBindings();
		server().on(`GET ${CARD}`, ({ headers }, response) => {
			response.setHeader("etag", `"${version}"`).setHeader("cache-control", "max-age=60");
			if (headers["if-none-match"] === `"${version}"`) response.writeHead(304).end();
			else sendJson(response, cardOf(server().url, { version }));
		});
		fake.on("GetExtendedAgentCard", ({ reply }) => reply(cardOf(server().url, { name: "More" })));
		const agent = agentAt(server());
		expect((await agent.extendedCard()).name).toBe("More");
		expect((await agent.card()).name).toBe("More");
		vi.setSystemTime(Date.now() + 61_000);
		expect((await agent.card()).name).toBe("More");
		version = "2";
		vi.setSystemTime(Date.now() + 61_000);
		expect((await agent.card()).name).toBe("Fake");
	});

	it("is not used in its place where it does not say where the agent is", async () => {
		const fake = serveBothBindings();
		fake.on("GetExtendedAgentCard", ({ reply }) => reply({ name: "More" }));
		const agent = agentAt(server());
		expect((await agent.extendedCard()).name).toBe("More");
		expect(await agent.getTask("task_1")).toMatchObject({ id: "task_1" });
	});
});

describe("what is sent", () => {
	it("5.5 MUST have camelCase names and names of enumerations; 3.4.3 SHOULD have referenceTaskIds", async () => {
		const fake = serveBothBindings();
		const agent = agentAt(server());
		await agent.send(
			{
				contextId: "c",
				taskId: "t",
				referenceTaskIds: ["r"],
				parts: [{ text: "hi", mediaType: "text/plain" }],
			},
			{ returnImmediately: true, historyLength: 1, acceptedOutputModes: ["text/plain"], pushConfig: PUSH },
		);
		expect(fake.calls[0]?.params).toMatchObject({
			message: {
				role: "ROLE_USER",
				messageId: expect.any(String),
				contextId: "c",
				taskId: "t",
				referenceTaskIds: ["r"],
			},
			configuration: { returnImmediately: true, historyLength: 1, taskPushNotificationConfig: PUSH },
		});
		expect(JSON.stringify(fake.calls[0]?.params)).not.toMatch(/"\w+_\w+":/);
	});

	it("11.5 MUST have camelCase query parameters, URL-encoded", async () => {
		serveBothBindings({ supportedInterfaces: [interfaceAt("/rest", "HTTP+JSON")] });
		await agentAt(server()).listTasks({ contextId: "a b&c", pageSize: 2, includeArtifacts: true });
		const query = server().requests.at(-1)?.query;
		expect(Object.fromEntries(query ?? [])).toEqual({
			contextId: "a b&c",
			pageSize: "2",
			includeArtifacts: "true",
		});
	});

	it("9.2 and 11.2 SHOULD have extensions separated by commas in one header", async () => {
		serveBothBindings();
		const extensions = ["https://a.example/x/v1", "https://a.example/y/v1"];
		await agentAt(server(), { extensions }).send("hi");
		expect(server().requests.at(-1)?.headers["a2a-extensions"]).toBe(extensions.join(","));
	});

	it("7.3 MUST have the credential with each request", async () => {
		serveBothBindings();
		const agent = agentAt(server(), { token: "t0ken" });
		await agent.send("hi");
		for (const { headers } of server().requests) expect(headers.authorization).toBe("Bearer t0ken");
	});
});

describe("what is read", () => {
	it("5.7 SHOULD ignore unrecognized fields", async () => {
		const fake = serveBothBindings({ unknown: 1 });
		fake.on("GetTask", ({ reply }) => reply({ ...taskOf("COMPLETED"), unknown: { a: 1 } }));
		expect(await agentAt(server()).getTask("task_1")).toMatchObject({
			status: { state: "TASK_STATE_COMPLETED" },
		});
	});

	it("3.5.1 an empty nextPageToken ends a list", async () => {
		const fake = serveBothBindings();
		const ids = [];
		for await (const { id } of agentAt(server()).listTasks()) ids.push(id);
		expect([ids, fake.calls.length]).toEqual([["task_1"], 1]);
	});
});

describe("7.6.2 In-Task Authorization", () => {
	it("gives a task in TASK_STATE_AUTH_REQUIRED, though its stream stays open, and follows it from there", async () => {
		const fake = serveBothBindings();
		fake.on("SendStreamingMessage", ({ event }) => {
			event({ task: taskOf("WORKING") });
			event(statusOf("AUTH_REQUIRED"));
		});
		fake.on("SubscribeToTask", ({ event, response }) => {
			event({ task: taskOf("AUTH_REQUIRED") });
			event(statusOf("WORKING"));
			event(statusOf("COMPLETED"));
			response.end();
		});
		const agent = agentAt(server());
		expect(await agent.stream("hi").result()).toMatchObject({
			task: { status: { state: "TASK_STATE_AUTH_REQUIRED" } },
		});
		const states: string[] = [];
		for await (const event of agent.subscribe("task_1"))
			states.push(
				"task" in event
					? event.task.status.state
					: "statusUpdate" in event
						? event.statusUpdate.status.state
						: "",
			);
		expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
	});

	it("sends a decision on an approval as data, to the task", async () => {
		const fake = serveBothBindings();
		const decision = { approval_id: "apr_1", decision: "approve" };
		await agentAt(server()).send({ taskId: "task_1", parts: [{ data: decision }] });
		expect(fake.calls[0]?.params.message).toMatchObject({ taskId: "task_1", parts: [{ data: decision }] });
	});
});
