import { describe, expect, it } from "vitest";
import { createClient } from "../create-client";
import { CLIENT_KEY, clientOf, useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	type RequestHandler,
	respondWithHtml,
	respondWithJson,
	sendJson,
} from "../test-support/test-server";
import { A2aError } from "./a2a-error";
import { a2a, createA2aClient } from "./create-a2a-client";
import {
	agentAt,
	cardOf,
	messageOf,
	respondWithText,
	serveAgent,
	taskOf,
	toTask,
} from "./test-support/fake-agent";
import { A2A_ERRORS, type A2aErrorReason } from "./wire";

const server = useTestServer();

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		() => undefined,
		(error: unknown) => error,
	);

describe("a message", () => {
	it("goes out with all that is said with it, and comes back as a task or a message", async () => {
		const agent = serveAgent(server());
		agent.on("SendMessage", ({ reply }) => reply({ task: taskOf("COMPLETED") }));
		const client = agentAt(server(), {
			tenant: "north",
			extensions: ["https://x.example/a", "https://x.example/b"],
		});
		const parts = [{ data: { order: 1 } }];
		const result = await client.send(
			{ parts, contextId: "c", taskId: "t", referenceTaskIds: ["r"], metadata: { m: 1 }, messageId: "mine" },
			{
				returnImmediately: true,
				historyLength: 0,
				acceptedOutputModes: ["text/plain"],
				pushConfig: { url: "https://hook.example/" },
				metadata: { k: 1 },
				headers: { "x-mine": "1" },
			},
		);
		expect(result).toEqual({ task: taskOf("COMPLETED") });
		expect(result.requestId).toMatch(/^req_/);
		const [call] = agent.calls;
		expect(call?.params).toEqual({
			tenant: "north",
			message: {
				role: "ROLE_USER",
				parts,
				contextId: "c",
				taskId: "t",
				referenceTaskIds: ["r"],
				metadata: { m: 1 },
				messageId: "mine",
			},
			configuration: {
				returnImmediately: true,
				historyLength: 0,
				acceptedOutputModes: ["text/plain"],
				taskPushNotificationConfig: { url: "https://hook.example/" },
			},
			metadata: { k: 1 },
		});
		expect(call?.request.headers).toMatchObject({
			"a2a-version": "1.0",
			"a2a-extensions": "https://x.example/a,https://x.example/b",
			"content-type": "application/json",
			"x-mine": "1",
		});
		agent.on("SendMessage", ({ reply }) => reply({ message: messageOf("hello"), task: null }));
		expect(await client.send("Hello.")).toEqual({ message: messageOf("hello") });
	});

	it("is another each time, and the same when it is tried again", async () => {
		const agent = serveAgent(server());
		let tries = 0;
		agent.on("SendMessage", ({ response, reply }) => {
			tries += 1;
			if (tries % 2) response.writeHead(tries === 1 ? 503 : 429).end();
			else reply({ task: taskOf("COMPLETED") });
		});
		const client = agentAt(server());
		await client.send("Hello.");
		await client.send("Hello.");
		const [first, second, third, fourth] = agent.calls.map(({ params }) => params.message?.messageId);
		expect([first === second, third === fourth, first === third]).toEqual([true, true, false]);
	});

	it.each<readonly [string, RequestHandler, object]>([
		["a connection that breaks", closeConnection, { name: "ConnectionError" }],
		["a gateway", respondWithText("", "text/html", 502), { name: "ServerError", status: 502 }],
	])("is not sent a second time after %s; questions are", async (_, answer, failure) => {
		serveAgent(server());
		server().on("POST /rpc", answer);
		const client = agentAt(server());
		await expect(client.send("Hello.")).rejects.toMatchObject(failure);
		const sent = () => server().requests.filter(({ method }) => method === "POST").length;
		expect(sent()).toBe(1);
		await expect(client.getTask("task_1")).rejects.toMatchObject(failure);
		expect(sent()).toBe(4);
	});
});

describe("tasks", () => {
	it("are read, with as much of their history as is wanted, and canceled", async () => {
		const agent = serveAgent(server());
		agent.on("GetTask", ({ reply }) =>
			reply(taskOf("WORKING", { artifacts: [{ artifactId: "a" } as never] })),
		);
		agent.on("CancelTask", ({ reply }) => reply(taskOf("CANCELED")));
		const client = agentAt(server());
		const task = await client.getTask("task_1", { historyLength: 0 });
		// ProtoJSON leaves out what is empty.
		expect(task).toEqual(taskOf("WORKING", { artifacts: [{ artifactId: "a", parts: [] }] }));
		expect(task.requestId).toMatch(/^req_/);
		expect(await client.cancelTask("task_1")).toEqual(taskOf("CANCELED"));
		expect(agent.calls.map(({ params }) => params)).toEqual([
			{ id: "task_1", historyLength: 0 },
			{ id: "task_1" },
		]);
	});

	it("are listed by pages, and one after the other, to the empty token", async () => {
		const agent = serveAgent(server());
		const pages: Record<string, object> = {
			"": { tasks: [taskOf("WORKING"), taskOf("FAILED")], nextPageToken: "2", pageSize: 2, totalSize: 3 },
			2: { tasks: [taskOf("COMPLETED")], nextPageToken: "", pageSize: 2, totalSize: 3 },
			bare: {},
		};
		agent.on("ListTasks", ({ params, reply }) => reply(pages[params.pageToken ?? ""]));
		const client = agentAt(server());
		const query = { contextId: "c", pageSize: 2, status: "TASK_STATE_WORKING" } as const;
		const listing = client.listTasks(query);
		expect(agent.calls).toHaveLength(0);
		expect(await listing).toEqual(pages[""]);
		const states: string[] = [];
		for await (const { status } of listing) states.push(status.state);
		expect(states).toEqual(["TASK_STATE_WORKING", "TASK_STATE_FAILED", "TASK_STATE_COMPLETED"]);
		expect(agent.calls.map(({ params }) => params)).toEqual([query, query, { ...query, pageToken: "2" }]);
		expect(await client.listTasks({ pageToken: "bare" })).toEqual({
			tasks: [],
			nextPageToken: "",
			pageSize: 0,
			totalSize: 0,
		});
	});

	it.each([
		["a page that leads to itself", { tasks: [], nextPageToken: "2" }],
		["no page", []],
		["tasks that are none", { tasks: [{}] }],
		["tasks that are no list", { tasks: {} }],
	])("a list is refused for %s", async (_, page) => {
		const agent = serveAgent(server());
		agent.on("ListTasks", ({ reply }) => reply(page));
		const read = async () => {
			for await (const _ of agentAt(server()).listTasks({ pageToken: "2" }));
		};
		await expect(read()).rejects.toMatchObject({ code: "invalid_agent_response" });
	});
});

describe("push configurations", () => {
	it("are set, read, listed over pages and deleted", async () => {
		const agent = serveAgent(server());
		const config = { id: "p1", taskId: "task_1", url: "https://hook.example/", token: "secret" };
		agent.on("CreateTaskPushNotificationConfig", ({ reply }) => reply(config));
		agent.on("GetTaskPushNotificationConfig", ({ reply }) => reply(config));
		agent.on("ListTaskPushNotificationConfigs", ({ params, reply }) =>
			reply(params.pageToken ? { configs: [config] } : { configs: [config], nextPageToken: "2" }),
		);
		agent.on("DeleteTaskPushNotificationConfig", ({ reply }) => reply(null));
		const { pushConfigs } = agentAt(server());
		expect(await pushConfigs.set("task_1", { url: config.url, token: "secret" })).toEqual(config);
		expect(await pushConfigs.get("task_1", "p1")).toEqual(config);
		expect(await pushConfigs.list("task_1")).toEqual([config, config]);
		expect(await pushConfigs.delete("task_1", "p1")).toBeUndefined();
		expect(agent.calls.map(({ params }) => params)).toEqual([
			{ url: config.url, token: "secret", taskId: "task_1" },
			{ taskId: "task_1", id: "p1" },
			{ taskId: "task_1" },
			{ taskId: "task_1", pageToken: "2" },
			{ taskId: "task_1", id: "p1" },
		]);
	});
});

describe("the extended card", () => {
	it("is asked for where the card offers it, and only there", async () => {
		const agent = serveAgent(server());
		agent.on("GetExtendedAgentCard", ({ reply }) => reply(cardOf(server().url, { name: "More" })));
		expect((await agentAt(server()).extendedCard()).name).toBe("More");
		serveAgent(server(), cardOf(server().url, { capabilities: {} }));
		await expect(agentAt(server()).extendedCard()).rejects.toMatchObject({
			reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
		});
		expect(agent.calls).toHaveLength(1);
	});
});

const infoOf = (reason: string) => [
	{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" },
];

describe("errors over JSON-RPC", () => {
	it.each(Object.entries(A2A_ERRORS))("%i is %s", async (number, reason) => {
		const agent = serveAgent(server());
		agent.on("GetTask", ({ fail }) => fail(Number(number), "No.", infoOf("SOMETHING_ELSE")));
		const error = await errorOf(agentAt(server()).getTask("task_1"));
		expect(A2aError.is(error)).toBe(true);
		expect(error).toMatchObject({
			code: reason.toLowerCase(),
			reason,
			rpcCode: Number(number),
			httpStatus: 200,
			message: "No.",
			data: infoOf("SOMETHING_ELSE"),
			requestId: expect.stringMatching(/^req_/),
		});
	});

	it.each<readonly [string, unknown, object]>([
		["a number of its own", { code: -32050, message: "No." }, { code: "agent_error", rpcCode: -32050 }],
		[
			"a number and a name of its own",
			{ code: -32050, message: "No.", data: infoOf("OUT_OF_PAPER") },
			{ code: "out_of_paper" },
		],
		[
			"the name of the protocol alone",
			{ code: -32603, message: "No.", data: infoOf("TASK_NOT_FOUND") },
			{ code: "task_not_found", rpcCode: -32603 },
		],
		["no message", { code: -32001 }, { message: "The agent gave no reason." }],
		[
			"another's name that is no name",
			{ code: -32050, message: "No.", data: [null, { reason: "<b>" }] },
			{ code: "agent_error" },
		],
	])("with %s", async (_, error, expected) => {
		serveAgent(server());
		server().on("POST /rpc", (request, response) =>
			sendJson(response, { jsonrpc: "2.0", id: request.json().id, error }),
		);
		await expect(agentAt(server()).getTask("task_1")).rejects.toMatchObject(expected);
	});

	it("may come without an id, and with a status", async () => {
		serveAgent(server());
		server().on(
			"POST /rpc",
			respondWithJson({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "No." } }, 400),
		);
		await expect(agentAt(server()).getTask("t")).rejects.toMatchObject({
			code: "parse_error",
			httpStatus: 400,
		});
	});

	it("are cut, and repeat no credential", async () => {
		const agent = serveAgent(server());
		const secret = "sk_secret_token";
		const agentMessage = `${secret} ${"x".repeat(20_000)}`;
		agent.on("GetTask", ({ fail }) => fail(-32001, agentMessage, [{ note: secret }]));
		agent.on("CancelTask", ({ fail }) => fail(-32002, "No.", [{ note: agentMessage }]));
		const client = agentAt(server(), { token: secret, headers: { "x-key": "another_secret" } });
		const error = await errorOf(client.getTask("task_1"));
		expect(error).toMatchObject({ data: [{ note: "[redacted]" }] });
		expect(JSON.stringify(error)).not.toContain(secret);
		expect(JSON.stringify(error).length).toBeLessThan(5000);
		expect(await errorOf(client.cancelTask("task_1"))).not.toHaveProperty("data");
	});
});

describe("answers that are none", () => {
	const ok = (id: unknown, more: object = { result: taskOf("WORKING") }): object => ({
		jsonrpc: "2.0",
		id,
		...more,
	});

	it.each<readonly [string, (id: unknown) => unknown]>([
		["another id", () => ok("other")],
		["the id as a number", () => ok(1)],
		["no id", () => ({ jsonrpc: "2.0", result: taskOf("WORKING") })],
		["another request's error", () => ok("other", { error: { code: -32001, message: "x" } })],
		["another version", (id) => ({ ...ok(id), jsonrpc: "1.0" })],
		["no result", (id) => ok(id, {})],
		["an error that is a text", (id) => ok(id, { error: "no" })],
		["a batch", (id) => [ok(id)]],
		["another task", (id) => ok(id, { result: { ...taskOf("WORKING"), id: "task_2" } })],
		["a task without an id", (id) => ok(id, { result: { ...taskOf("WORKING"), id: "" } })],
		["a task without a state", (id) => ok(id, { result: { id: "task_1" } })],
		["a history that is none", (id) => ok(id, { result: { ...taskOf("WORKING"), history: [1] } })],
		["null", (id) => ok(id, { result: null })],
	])("%s", async (_, make) => {
		serveAgent(server());
		server().on("POST /rpc", (request, response) => sendJson(response, make(request.json().id)));
		await expect(agentAt(server()).getTask("task_1")).rejects.toMatchObject({
			name: "A2aError",
			code: "invalid_agent_response",
			reason: "INVALID_AGENT_RESPONSE",
		});
	});

	it.each([
		["both", { task: taskOf("WORKING"), message: messageOf("x") }],
		["neither", {}],
		["a bare task, as in A2A 0.3", { kind: "task", ...taskOf("WORKING") }],
		["a message without an id", { message: { parts: [] } }],
	])("%s of a task and a message", async (_, result) => {
		const agent = serveAgent(server());
		agent.on("SendMessage", ({ reply }) => reply(result));
		await expect(agentAt(server()).send("x")).rejects.toMatchObject({ code: "invalid_agent_response" });
		expect(agent.calls).toHaveLength(1);
	});

	it.each<readonly [string, RequestHandler, object]>([
		["a page", respondWithHtml, { name: "A2aError", code: "invalid_agent_response" }],
		["half of it", respondWithText('{"jsonrpc":"2.0","result":'), { code: "invalid_agent_response" }],
		["nothing", respondWithText(""), { code: "invalid_agent_response" }],
		[
			"a page that is not there",
			respondWithText("<h1>", "text/html", 404),
			{ name: "NotFoundError", status: 404 },
		],
		["a server that broke", respondWithText("<h1>", "text/html", 500), { name: "ServerError", status: 500 }],
		[
			"a credential that is missing",
			respondWithJson({ error: { code: 401, message: "No." } }, 401),
			{ name: "AuthenticationError", message: "No." },
		],
		["what is not allowed", respondWithText("", "text/html", 403), { name: "PermissionError" }],
		["too much", respondWithText("", "text/html", 429), { name: "RateLimitError" }],
		["a gateway", respondWithText("", "text/html", 504), { name: "ServerError", status: 504 }],
		[
			"the error of an API",
			respondWithJson({ error: { code: "no_such_agent", message: "No.", hint: "Look." } }, 404),
			{ name: "NotFoundError", code: "no_such_agent", hint: "Look." },
		],
		[
			"a redirect",
			(_, response) => void response.writeHead(307, { location: "https://evil.example" }).end(),
			{ code: "redirected" },
		],
	])("%s", async (_, answer, expected) => {
		serveAgent(server());
		server().on("POST /rpc", answer);
		await expect(agentAt(server(), { maxRetries: 0 }).getTask("task_1")).rejects.toMatchObject(expected);
	});

	it("a hundred megabytes are not read to their end", async () => {
		serveAgent(server());
		let sent = 0;
		server().on("POST /rpc", (_, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			const chunk = " ".repeat(2 ** 18);
			const write = (): void => {
				if (response.destroyed || sent > 100 * 2 ** 20) return void response.end();
				sent += chunk.length;
				response.write(chunk, () => setImmediate(write));
			};
			write();
		});
		await expect(agentAt(server()).getTask("task_1")).rejects.toMatchObject({ code: "response_too_large" });
		expect(sent).toBeLessThan(60 * 2 ** 20);
	});
});

describe("HTTP+JSON", () => {
	const offerHttpJson = () => {
		serveAgent(
			server(),
			cardOf(server().url, {
				supportedInterfaces: [
					{ url: `${server().url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
				],
			}),
		);
		return agentAt(server(), { maxRetries: 0 });
	};
	const lastRequest = () => {
		const { method, path, query, body } = server().requests.at(-1) ?? {
			method: "",
			path: "",
			query: "",
			body: "",
		};
		return { requestLine: `${method} ${path}${`${query}` && `?${query}`}`, body: `${body}` };
	};

	it("has a path for every method", async () => {
		const client = offerHttpJson();
		const task = taskOf("WORKING");
		const config = { id: "p/1", taskId: "task_1", url: "https://hook.example/" };
		const answers: readonly (readonly [string, () => PromiseLike<unknown>, string, unknown, string])[] = [
			[
				"POST /rest/message:send",
				() => client.send({ messageId: "m", parts: [] }),
				"",
				{ task },
				'{"message":{"messageId":"m","parts":[],"role":"ROLE_USER"},"configuration":{}}',
			],
			[
				"GET /rest/tasks/task_1",
				() => client.getTask("task_1", { historyLength: 3 }),
				"?historyLength=3",
				task,
				"",
			],
			[
				"GET /rest/tasks",
				() => client.listTasks({ pageSize: 5, includeArtifacts: true }),
				"?pageSize=5&includeArtifacts=true",
				{ tasks: [task] },
				"",
			],
			["POST /rest/tasks/task_1:cancel", () => client.cancelTask("task_1"), "", task, "{}"],
			[
				"POST /rest/tasks/task_1/pushNotificationConfigs",
				() => client.pushConfigs.set("task_1", { url: config.url }),
				"",
				config,
				'{"url":"https://hook.example/"}',
			],
			[
				"GET /rest/tasks/task_1/pushNotificationConfigs/p%2F1",
				() => client.pushConfigs.get("task_1", "p/1"),
				"",
				config,
				"",
			],
			[
				"GET /rest/tasks/task_1/pushNotificationConfigs",
				() => client.pushConfigs.list("task_1"),
				"",
				{ configs: [config] },
				"",
			],
			["GET /rest/extendedAgentCard", () => client.extendedCard(), "", { name: "More" }, ""],
		];
		for (const [route, call, query, answer, body] of answers) {
			server().on(route, respondWithJson(answer));
			await call();
			expect(lastRequest()).toEqual({ requestLine: `${route}${query}`, body });
		}
		server().on(
			"DELETE /rest/tasks/task_1/pushNotificationConfigs/p",
			respondWithText("", "text/plain", 204),
		);
		expect(await client.pushConfigs.delete("task_1", "p")).toBeUndefined();
	});

	it("streams, and takes a stream up again", async () => {
		const client = offerHttpJson();
		const events = [{ task: taskOf("WORKING") }, { task: taskOf("COMPLETED") }];
		const stream = (...sent: readonly object[]): RequestHandler =>
			respondWithText(
				sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
				"text/event-stream",
			);
		server().on("POST /rest/message:stream", stream(...events.slice(0, 1)));
		server().on("POST /rest/tasks/task_1:subscribe", stream(...events));
		expect(await client.stream("Go.").result()).toEqual({ task: toTask(events) });
	});

	it.each<readonly [string, number, object, A2aErrorReason | undefined, string]>([
		...Object.values(A2A_ERRORS).map(
			(reason) =>
				[
					reason,
					400,
					{ status: "FAILED_PRECONDITION", details: infoOf(reason) },
					reason,
					reason.toLowerCase(),
				] as const,
		),
		["no name, but NOT_FOUND", 404, { status: "NOT_FOUND" }, "TASK_NOT_FOUND", "task_not_found"],
		[
			"no name, but FAILED_PRECONDITION",
			400,
			{ status: "FAILED_PRECONDITION" },
			"UNSUPPORTED_OPERATION",
			"unsupported_operation",
		],
		[
			"no name, but INVALID_ARGUMENT",
			400,
			{ status: "INVALID_ARGUMENT" },
			"INVALID_PARAMS",
			"invalid_params",
		],
		["no name, but UNIMPLEMENTED", 501, { status: "UNIMPLEMENTED" }, "METHOD_NOT_FOUND", "method_not_found"],
		["nothing but 404", 404, {}, "TASK_NOT_FOUND", "task_not_found"],
		["nothing but 500", 500, {}, "INTERNAL_ERROR", "internal_error"],
		["nothing but 418", 418, { details: infoOf("TEAPOT") }, undefined, "teapot"],
	])("%s is an error of the protocol", async (_, status, error, reason, code) => {
		const client = offerHttpJson();
		server().on(
			"GET /rest/tasks/task_1",
			respondWithJson({ error: { code: status, message: "No.", ...error } }, status),
		);
		const thrown = (await errorOf(client.getTask("task_1"))) as A2aError;
		expect(thrown).toMatchObject({ name: "A2aError", code, httpStatus: status, message: "No." });
		expect(thrown.reason).toBe(reason);
		expect(
			thrown.rpcCode === undefined ? undefined : A2A_ERRORS[`${thrown.rpcCode}` as keyof typeof A2A_ERRORS],
		).toBe(reason);
	});

	it("without the protocol's body, or about credentials, an error is the API's", async () => {
		const client = offerHttpJson();
		for (const [status, name] of [
			[401, "AuthenticationError"],
			[403, "PermissionError"],
			[429, "RateLimitError"],
		] as const) {
			const error = { code: status, status: "UNAUTHENTICATED", message: "No.", details: [] };
			server().on("GET /rest/tasks/task_1", respondWithJson({ error }, status));
			await expect(client.getTask("task_1")).rejects.toMatchObject({ name, status, message: "No." });
		}
		for (const [status, name] of [
			[404, "NotFoundError"],
			[400, "InvalidRequestError"],
			[500, "ServerError"],
		] as const) {
			server().on("GET /rest/tasks/task_1", respondWithText("<h1>", "text/html", status));
			await expect(client.getTask("task_1")).rejects.toMatchObject({ name, status });
		}
	});

	it.each(["", ".", ".."])("an id cannot lead elsewhere: %j", async (id) => {
		const client = offerHttpJson();
		await expect(client.cancelTask(id)).rejects.toMatchObject({ name: "ConfigurationError" });
		await expect(client.getTask(id)).rejects.toMatchObject({ name: "ConfigurationError" });
	});
});

describe("agents of the service", () => {
	it("are asked with its credential, on its own address, whatever the card says", async () => {
		const base = `${server().url}`;
		const card = cardOf(base, {
			supportedInterfaces: [
				{ url: "https://evil.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
			],
		});
		server().on("GET /a2a/my%20desk/.well-known/agent-card.json", respondWithJson(card));
		server().on("POST /a2a/my%20desk", (request, response) =>
			sendJson(response, { jsonrpc: "2.0", id: request.json().id, result: taskOf("WORKING") }),
		);
		const agent = a2a(clientOf(server()))("my desk");
		expect(await agent.card()).toEqual(card);
		expect(await agent.getTask("task_1")).toEqual(taskOf("WORKING"));
		for (const { headers } of server().requests)
			expect(headers).toMatchObject({ authorization: `Bearer ${CLIENT_KEY}`, "a2a-version": "1.0" });
		expect(server().requests).toHaveLength(2);
	});

	it.each(["", ".", ".."])("have an id: %j is none", async (id) => {
		await expect(a2a(clientOf(server()))(id).getTask("t")).rejects.toMatchObject({
			name: "ConfigurationError",
		});
		expect(server().requests).toHaveLength(0);
	});

	it("others are asked by their address, without it, and not by its `fetch`", async () => {
		const agent = serveAgent(server());
		agent.on("GetTask", ({ reply }) => reply(taskOf("WORKING")));
		const client = createClient({
			clientKey: CLIENT_KEY,
			baseUrl: "https://stemma.example",
			headers: { "x-tenant": "secret" },
			fetch: () => Promise.reject(new Error("The service was asked.")),
		});
		expect(await a2a(client)(server().url).getTask("task_1")).toEqual(taskOf("WORKING"));
		for (const { headers } of server().requests) {
			expect(headers).not.toHaveProperty("authorization");
			expect(headers).not.toHaveProperty("x-tenant");
		}
	});
});

it("the depth of a request goes along", async () => {
	const agent = serveAgent(server());
	agent.on("GetTask", ({ reply }) => reply(taskOf("WORKING")));
	await createA2aClient({ url: server().url, depth: 3 }).getTask("task_1");
	expect(agent.calls[0]?.request.headers["stemma-depth"]).toBe("3");
});
