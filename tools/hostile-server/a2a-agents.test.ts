import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { A2aConnection, A2aStreamResponse } from "@stemma/client/a2a";
import { isStemmaError } from "@stemma/core";
import { remoteAgents } from "@stemma/local";
import {
	artifactOf,
	cardOf,
	type RpcHandler,
	resetConnection,
	sendEvents,
	sendEventsAndEnd,
	sendRpc,
	sendText,
	startHostileAgent,
	startOtherOrigin,
	statusOf,
	taskOf,
	taskStarted,
	writeUntilClosed,
} from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { readAll } from "./calls";
import { measureMemory, nest, readHeapMegabytes, TOKEN, useRpcFixture } from "./rpc-fixture";
import { catchError } from "./server-fixture";

const fixture = useRpcFixture();
const MEGABYTE = "x".repeat(2 ** 20);
const IDLE = new AbortController().signal;

/** An agent with this card. */
async function useCard(card: (host: string) => unknown, options: Partial<A2aConnection> = {}) {
	const { server, agent } = fixture(await startHostileAgent());
	server.on("GET", ({ headers }, response) => sendText(response, JSON.stringify(card(headers.host ?? ""))));
	return { server, client: agent(options) };
}

/** An agent that answers messages so. */
async function useAnswer(answer: RpcHandler, options: Partial<A2aConnection> = {}) {
	const { server, agent, logged } = fixture(await startHostileAgent());
	server.on("SendStreamingMessage", answer);
	server.on("SendMessage", answer);
	return { server, client: agent(options), logged };
}

const runGraph = (url: string, secret?: string) =>
	remoteAgents({ secret: () => TOKEN }).run(
		{ runId: "r", node: "n", agent: { url }, input: "How long?", ...(secret && { secret }) },
		{ signal: IDLE, onText: () => undefined, onReset: () => undefined },
	);

describe("a card", () => {
	const interfaceOf = (url: unknown) => ({
		supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
	});

	it.each([
		"https://evil.example/rpc",
		"javascript:alert(1)",
		"file:///etc/passwd",
		"data:text/plain,x",
		"ftp://127.0.0.1/rpc",
		"//evil.example/rpc",
		"/rpc",
		"rpc",
		"",
		" {origin}/rpc",
		"{origin}\\@evil.example/rpc",
		"{origin}@evil.example/rpc",
		"http://user:password@{host}/rpc",
		"http://{host}.evil.example/rpc",
		"http://{host}#@evil.example",
		"http://{host}/rpc\r\nx-evil: 1",
		"http://127.0.0.1:0/rpc",
		"http://127.0.0.1:99999/rpc",
		"http://[::1]:{port}/rpc",
		"http://[::ffff:127.0.0.1]:{port}/rpc",
		"http://2130706433:{port}/rpc",
		"http://0x7f.1:{port}/rpc",
		"http://localhost:{port}/rpc",
		"http://①②⑦.0.0.1:{port}/rpc",
		"http://127。0。0。1:{port}/rpc",
		"http://xn--e1afmkfd.example/rpc",
		"http:\\\\evil.example\\rpc",
		"http:/{host}/rpc",
		"http:///{host}/rpc",
	])("that leads to %j is not followed", async (template) => {
		const { server, client } = await useCard((host) => {
			const [, port = ""] = host.split(":");
			const url = template
				.replaceAll("{origin}", `http://${host}`)
				.replaceAll("{host}", host)
				.replaceAll("{port}", port);
			return cardOf(host, interfaceOf(url));
		});
		const error = await catchError(client.send("Hello."));
		expect(error.code).toMatch(/^(address_refused|origin_not_allowed)$/);
		expect(error.message.length).toBeLessThan(400);
		expect(server.requests.map(({ http }) => http)).toEqual(["GET"]);
	});

	it("that leads from https to http is not followed, allowed or not", async () => {
		const other = await startOtherOrigin();
		const card = JSON.stringify(cardOf("", interfaceOf(`${other.origin}/rpc`)));
		const { agent } = fixture(await startHostileAgent());
		const fetch = async () => new Response(card, { headers: { "content-type": "application/json" } });
		for (const allowedOrigins of [[], [other.origin]])
			expect(
				await catchError(
					agent({ url: "https://agent.example", fetch: fetch as never, allowedOrigins }).send("Hello."),
				),
			).toMatchObject({ code: "address_refused" });
		expect(other.requests).toEqual([]);
		await other.close();
	});

	it.each([
		"//evil.example/rpc",
		"/../../rpc",
		"/%2e%2e/rpc",
		"/rpc;x=http://evil.example",
		"/rpc?next=//evil.example",
	])("with the path %s stays at its origin", async (path) => {
		const { server, client } = await useCard((host) => cardOf(host, interfaceOf(`http://${host}${path}`)));
		await client.send("Hello.");
		expect(server.of("SendMessage")).toHaveLength(1);
	});

	it.each([
		["null", "null"],
		["a list", "[]"],
		["a number", "7"],
		["nothing", ""],
		["HTML", "<html>"],
		["no name", "{}"],
		["a name that is none", '{"name":{"toString":1}}'],
		["interfaces that are none", '{"name":"a","supportedInterfaces":{"length":1}}'],
		["interfaces that are strange", '{"name":"a","supportedInterfaces":[null,7,[],{},{"url":7},"x"]}'],
		["a version that is strange", '{"name":"a","protocolVersion":{"toString":1,"valueOf":1}}'],
		["nested JSON", `{"name":"a","x":${nest(100_000)}}`],
		["nested interfaces", `{"name":"a","supportedInterfaces":[${nest(100_000)}]}`],
		[
			"keys of prototypes",
			'{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
		],
	])("that is %s is refused", async (_, text) => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("GET", (_, response) => sendText(response, text));
		const error = await catchError(agent().send("Hello."));
		expect(error).toMatchObject({ name: "A2aError" });
		expect(error.code).toMatch(/^(invalid_agent_response|version_not_supported)$/);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it.each([
		["large", "application/json", undefined],
		["packed small", "application/json", "gzip"],
	])("of 100 MB (%s) ends while it is read", async (_, type, encoding) => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("GET", async (_, response) => {
			response.writeHead(200, { "content-type": type, ...(encoding && { "content-encoding": encoding }) });
			if (encoding) return void response.end(BOMB);
			response.write('{"name":"');
			await writeUntilClosed(response, MEGABYTE, 128);
			response.end();
		});
		const used = await measureMemory(async () => {
			expect(await catchError(agent().card())).toMatchObject({ code: "response_too_large" });
		});
		expect(used).toBeLessThan(150);
	});

	it.each([301, 302, 307, 308])("at another place (%i) is not read", async (status) => {
		const other = await startOtherOrigin();
		const { server, agent } = fixture(await startHostileAgent());
		for (const location of [`${other.origin}/card.json`, "/card.json", "file:///etc/passwd"]) {
			server.on("GET", (_, response) => void response.writeHead(status, { location }).end());
			expect(await catchError(agent().card())).toMatchObject({ code: "redirected" });
		}
		expect(other.requests).toEqual([]);
		await other.close();
	});

	it("that is never to be kept is not asked for without end", async () => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("GET", ({ headers }, response) => {
			response.setHeader("cache-control", "no-store, max-age=-1, max-age=1e999");
			response.setHeader("etag", '"x"');
			sendText(response, JSON.stringify(cardOf(headers.host)));
		});
		const client = agent();
		for (let count = 0; count < 10; count++) await client.send("Hello.");
		expect(server.of("GET").length).toBeLessThanOrEqual(2);
	});

	it.each([304, 204])("that is answered with %i, unasked, is none", async (status) => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("GET", (_, response) => void response.writeHead(status).end());
		expect(isStemmaError(await catchError(agent().card()))).toBe(true);
	});
});

/** Of many members, which is one text. */
const BOMB = Buffer.concat(Array.from({ length: 128 }, () => gzipSync(MEGABYTE)));

const raw =
	(body: (id: string) => string): RpcHandler =>
	({ id }, response) =>
		sendText(response, body(JSON.stringify(id)));

const completed = JSON.stringify({ task: taskOf("COMPLETED") });

describe("an agent that answers", () => {
	const WRONG: Readonly<Record<string, RpcHandler>> = {
		"no JSON": raw(() => "{"),
		null: raw(() => "null"),
		"a list": raw((id) => `[{"jsonrpc":"2.0","id":${id},"result":${completed}}]`),
		"another version": raw((id) => `{"jsonrpc":"1.0","id":${id},"result":${completed}}`),
		"neither result nor error": raw((id) => `{"jsonrpc":"2.0","id":${id}}`),
		"a null result": raw((id) => `{"jsonrpc":"2.0","id":${id},"result":null}`),
		"another id": raw(() => `{"jsonrpc":"2.0","id":"other","result":${completed}}`),
		"an id of another type": raw((id) => `{"jsonrpc":"2.0","id":[${id}],"result":${completed}}`),
		"its id twice": raw((id) => `{"jsonrpc":"2.0","id":${id},"id":1,"result":${completed}}`),
		"no id": raw(() => `{"jsonrpc":"2.0","result":${completed}}`),
		"a task and a message": raw(
			(id) =>
				`{"jsonrpc":"2.0","id":${id},"result":{"task":${JSON.stringify(taskOf())},"message":{"messageId":"m","parts":[]}}}`,
		),
		"a task without an id": raw(
			(id) => `{"jsonrpc":"2.0","id":${id},"result":{"task":{"status":{"state":"x"}}}}`,
		),
		"a task without a state": raw(
			(id) => `{"jsonrpc":"2.0","id":${id},"result":{"task":{"id":"t1","status":{}}}}`,
		),
		"artifacts that are none": raw(
			(id) =>
				`{"jsonrpc":"2.0","id":${id},"result":{"task":{"id":"t1","status":{"state":"x"},"artifacts":{"length":1}}}}`,
		),
		"a text where a task should be": raw(
			(id) => `{"jsonrpc":"2.0","id":${id},"result":{"task":"${MEGABYTE}"}}`,
		),
	};

	it.each(Object.entries(WRONG))("%s is refused, and not asked again", async (_, answer) => {
		const { server, client } = await useAnswer(answer);
		for (const error of [
			await catchError(client.send("Hello.")),
			await catchError(client.stream("Hello.").result()),
			await catchError(readAll(client.stream("Hello."))),
		])
			expect(error).toMatchObject({ name: "A2aError", code: "invalid_agent_response" });
		expect(server.requests).toHaveLength(4);
	});

	it.each(["constructor", "__proto__", "toString", 7, { toString: 1, valueOf: 1 }])(
		"an error with the names %j is an error like any other",
		async (strange) => {
			const error = { code: 400, status: strange, message: strange, details: [{ reason: strange }, null, 7] };
			for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
				const { server, agent } = fixture(await startHostileAgent());
				server.on("GET", ({ headers }, response) => {
					const url = `http://${headers.host}/rpc`;
					const supportedInterfaces = [{ url, protocolBinding: binding, protocolVersion: "1.0" }];
					sendText(response, JSON.stringify(cardOf(headers.host, { supportedInterfaces })));
				});
				const fail: RpcHandler = ({ id }, response) =>
					sendRpc(response, { id, error: { ...error, data: error.details } }, 400);
				server.on("SendMessage", fail);
				server.on("POST", fail);
				expect(await catchError(agent().send("Hello."))).toMatchObject({ name: "A2aError" });
			}
		},
	);

	it("an error that is nested without end is an error", async () => {
		const { client } = await useAnswer(
			raw((id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"No.","data":${nest(100_000)}}}`),
		);
		expect(await catchError(client.send("Hello."))).toMatchObject({ name: "A2aError" });
	});

	it.each(["parts", "metadata"])("%s that are nested without end are refused", async (place) => {
		const deep =
			place === "parts" ? `"parts":[{"data":${nest(100_000)}}]` : `"parts":[],"metadata":${nest(100_000)}`;
		const update = `{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a",${deep}}}}`;
		const { server, client } = await useAnswer(({ id }, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${update}}\n\n`);
		});
		const error = await catchError(client.stream("Hello.").result());
		expect(error).toMatchObject({ name: "A2aError", code: "invalid_agent_response" });
		expect(isStemmaError(await catchError(runGraph(server.origin)))).toBe(true);
	});

	it("with every status is no task", async () => {
		const { server, client } = await useAnswer(
			({ params }, response) => {
				const { message } = params as { message: { parts: [{ text: string }] } };
				response.writeHead(Number(message.parts[0].text), { location: "/elsewhere" }).end();
			},
			{ maxRetries: 1 },
		);
		await client.card();
		const statuses = Array.from({ length: 400 }, (_, index) => 200 + index);
		for (let from = 0; from < statuses.length; from += 50)
			await Promise.all(
				statuses.slice(from, from + 50).map(async (status) => {
					expect([status, isStemmaError(await catchError(client.send(String(status))))]).toEqual([
						status,
						true,
					]);
				}),
			);
		expect(server.of("SendMessage").length).toBeLessThanOrEqual(405);
	});

	it.each(["before-headers", "in-headers", "after-headers", "in-event"])(
		"with a reset %s, again and again, is sent the message once, and given up",
		async (when) => {
			const abortStream: RpcHandler = async (_, response) => {
				if (when === "in-headers") response.socket?.write("HTTP/1.1 200 OK\r\nx: ");
				if (when.startsWith("after") || when === "in-event")
					response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
				if (when === "in-event") response.write('data: {"jsonrpc');
				await wait(10);
				resetConnection(response);
			};
			const { server, client } = await useAnswer(abortStream);
			server.on("SubscribeToTask", abortStream);
			expect((await catchError(client.stream("Hello.").result())).code).toMatch(
				/^(connection_failed|stream_lost|stream_cut_off)$/,
			);
			expect(server.of("SendStreamingMessage")).toHaveLength(1);
			expect(server.of("SubscribeToTask").length).toBeLessThanOrEqual(9);
		},
	);
});

it("an agent whose connections break after each task is left when the time is over", async () => {
	const abortStream: RpcHandler = async (request, response) => {
		sendEvents(request, response, taskStarted);
		await wait(10);
		resetConnection(response);
	};
	const { server, client } = await useAnswer(abortStream);
	server.on("SubscribeToTask", abortStream);
	const call = client.stream("Hello.", { timeouts: { eventTimeoutMs: 300 } }).result();
	expect(await catchError(call)).toMatchObject({ code: "event_timeout" });
	expect(server.of("SendStreamingMessage")).toHaveLength(1);
	expect(server.of("SubscribeToTask").length).toBeLessThanOrEqual(20);
	await expect.poll(() => server.of("CancelTask").length).toBe(1);
});

describe("an agent that sends without end", () => {
	const event = (id: unknown, result: object): string =>
		`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`;
	const FLOODS: Readonly<Record<string, (id: unknown) => (count: number) => string>> = {
		"one line": () => () => MEGABYTE,
		"one event": () => () => `data: ${MEGABYTE}\n`,
		"text that is appended": (id) => () => event(id, artifactOf("a", [{ text: MEGABYTE }])),
		"parts that are appended": (id) => {
			const parts = Array.from({ length: 1000 }, () => ({ data: 1 }));
			return () => event(id, artifactOf("a", parts));
		},
		"one artifact after the other": (id) => (count) =>
			event(id, artifactOf(`a${count}`, [{ text: MEGABYTE }])),
		"artifacts with nothing but names": (id) => (count) => event(id, artifactOf(`${count}${MEGABYTE}`, [])),
		"artifacts with nothing but metadata": (id) => (count) =>
			event(id, artifactOf(`a${count}`, [], { metadata: { MEGABYTE } })),
	};

	it.each(Object.entries(FLOODS))("%s is left in time", async (_, toPiece) => {
		const { server, client } = await useAnswer(async (request, response) => {
			sendEvents(request, response, taskStarted);
			const piece = toPiece(request.id);
			if (piece(0).startsWith("x")) response.write("data: ");
			await writeUntilClosed(response, piece, 1000);
			response.end();
		});
		let error: Error & Record<string, unknown> = new Error("none") as never;
		const used = await measureMemory(async () => {
			error = await catchError(client.stream("Hello.").result());
		});
		expect(error.code).toMatch(/^(response_too_large|sse_event_too_large)$/);
		expect(used).toBeLessThan(250);
		await expect.poll(() => server.openResponses).toBe(0);
	});

	it("small news of a task with many artifacts does not fill the memory", async () => {
		const artifacts = Array.from({ length: 7000 }, (_, index) => ({ artifactId: `a${index}`, parts: [] }));
		const lateEvents = 4000;
		const { client } = await useAnswer(async (request, response) => {
			sendEvents(request, response, { task: taskOf("WORKING", { artifacts }) });
			await writeUntilClosed(response, event(request.id, statusOf("WORKING")), 10);
			await writeUntilClosed(response, event(request.id, artifactOf("a6999", [{ text: "x" }])), lateEvents);
			sendEventsAndEnd(request, response, statusOf("COMPLETED"));
		});
		const stream = client.stream("Hello.");
		let eventCount = 0;
		let last: A2aStreamResponse | undefined;
		const before = readHeapMegabytes();
		await stream.result();
		expect(readHeapMegabytes() - before).toBeLessThan(80);
		for await (const event of stream) {
			eventCount += 1;
			last = event;
		}
		expect(eventCount).toBeGreaterThan(1000);
		// It was behind: what came last is read again, as the agent has it.
		expect(last).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
	});

	it.each<readonly [string, (id: unknown) => string]>([
		["comments", () => ": x\n\n"],
		["the same task", (id) => event(id, taskStarted)],
	])("%s is left when the time is over, and the task is stopped", async (_, piece) => {
		const { server, client } = await useAnswer(async (request, response) => {
			sendEvents(request, response, taskStarted);
			while (!response.destroyed) {
				response.write(piece(request.id));
				await wait(5);
			}
		});
		const call = client.stream("Hello.", { timeouts: { eventTimeoutMs: 1500 } }).result();
		expect(await catchError(call)).toMatchObject({ code: "event_timeout" });
		await expect.poll(() => server.of("CancelTask").length).toBe(1);
		await expect.poll(() => server.openResponses).toBe(0);
	});

	it("more after the end is left, and changes nothing", async () => {
		const AFTER = [
			statusOf("COMPLETED"),
			statusOf("FAILED"),
			artifactOf("b", [{ text: "more" }]),
			taskStarted,
		];
		const leave = async (more: object): Promise<void> => {
			const { server, client } = await useAnswer(async (request, response) => {
				sendEvents(
					request,
					response,
					taskStarted,
					artifactOf("a", [{ text: "Five." }]),
					statusOf("COMPLETED"),
				);
				while (!response.destroyed) {
					sendEvents(request, response, more);
					await wait(10);
				}
			});
			const stream = client.stream("Hello.");
			expect(await stream.text()).toBe("Five.");
			expect((await readAll(stream)).at(-1)).toMatchObject(statusOf("COMPLETED"));
			await expect.poll(() => server.openResponses).toBe(0);
		};
		await Promise.all(AFTER.map(leave));
	});

	it("pages that lead to themselves ends", async () => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("ListTasks", () => ({ tasks: [taskOf()], nextPageToken: "same" }));
		expect(await catchError(readAll(agent().listTasks()))).toMatchObject({ code: "invalid_agent_response" });
		expect(server.of("ListTasks")).toHaveLength(2);
		let page = 0;
		server.on("ListTasks", () => ({ tasks: [], nextPageToken: ["a", "b"][page++ % 2] }));
		expect(await catchError(readAll(agent().listTasks()))).toMatchObject({ code: "invalid_agent_response" });
		server.on("ListTaskPushNotificationConfigs", () => ({
			configs: [],
			nextPageToken: ["a", "b"][page++ % 2],
		}));
		expect(await agent().pushConfigs.list("t1")).toEqual([]);
		expect(server.of("ListTaskPushNotificationConfigs").length).toBeLessThanOrEqual(100);
	});
});

describe("a task", () => {
	const other = (result: object): object => JSON.parse(JSON.stringify(result).replaceAll('"t1"', '"t2"'));

	it.each<readonly [string, object]>([
		["a status", other(statusOf("WORKING"))],
		["an artifact", other(artifactOf("a", []))],
		["a task", other(taskStarted)],
	])("that becomes another by %s is none", async (_, event) => {
		const { client, server } = await useAnswer((request, response) =>
			sendEventsAndEnd(request, response, taskStarted, event),
		);
		expect(await catchError(client.stream("Hello.").result())).toMatchObject({
			code: "invalid_agent_response",
		});
		expect(server.of("SendStreamingMessage")).toHaveLength(1);
	});

	it("that becomes another when it is subscribed to, or looked at, is none", async () => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("SubscribeToTask", (request, response) =>
			sendEventsAndEnd(request, response, other(taskStarted)),
		);
		server.on("GetTask", () => ({ ...taskOf(), id: "t2" }));
		server.on("CancelTask", () => ({ ...taskOf("CANCELED"), id: "t2" }));
		const client = agent();
		const calls = [client.subscribe("t1").result(), client.getTask("t1"), client.cancelTask("t1")];
		for (const error of await Promise.all(calls.map(catchError)))
			expect(error).toMatchObject({ code: "invalid_agent_response" });
	});

	it("that is appended to where nothing is begins with that", async () => {
		const { client } = await useAnswer((request, response) =>
			sendEventsAndEnd(request, response, artifactOf("a", [{ text: "Five." }]), statusOf("COMPLETED")),
		);
		expect(await client.stream("Hello.").text()).toBe("Five.");
	});

	it.each(["constructor", "__proto__", "TASK_STATE_", "toString", "x".repeat(10_000)])(
		"with the state %j is not at its end",
		async (state) => {
			const { server, client } = await useAnswer((request, response) =>
				sendEventsAndEnd(request, response, { task: { id: "t1", contextId: "c1", status: { state } } }),
			);
			server.on("SubscribeToTask", ({ id }, response) =>
				sendRpc(response, { id, error: { code: -32004, message: "No." } }),
			);
			server.on("GetTask", () => taskOf("COMPLETED"));
			const events: A2aStreamResponse[] = await readAll(client.stream("Hello."));
			expect(events.at(-1)).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
			server.on("GetTask", ({ id }, response) =>
				sendRpc(response, { id, error: { code: -32001, message: "No." } }),
			);
			expect((await catchError(runGraph(server.origin))).code).toEqual(expect.any(String));
		},
	);

	it("with an id of any letters is asked for as it is, in the body and in the path", async () => {
		for (const id of ["../../admin", "a/b?c#d", "\r\nx-evil: 1", "ü", "__proto__", " "]) {
			const { server, agent } = fixture(await startHostileAgent());
			server.on("GET", ({ headers, path }, response) => {
				const url = `http://${headers.host}/rpc`;
				const supportedInterfaces = [{ url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }];
				const body = path.endsWith(".json")
					? cardOf(headers.host, { supportedInterfaces })
					: { ...taskOf(), id };
				sendText(response, JSON.stringify(body));
			});
			expect((await agent().getTask(id)).id).toBe(id);
			expect(server.requests.at(-1)?.path).toBe(`/rpc/tasks/${encodeURIComponent(id)}`);
			expect(server.requests.at(-1)?.headers).not.toHaveProperty("x-evil");
		}
	});
});

/** `catchError` finds secrets in what is thrown, the stage in what is logged. */
describe("an agent that repeats the credential", () => {
	const echo = `You sent ${TOKEN}`;
	const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: echo }] };

	it.each<readonly [string, RpcHandler]>([
		[
			"in an error",
			({ id }, response) =>
				sendRpc(response, { id, error: { code: -1, message: echo, data: [{ reason: echo, [echo]: echo }] } }),
		],
		[
			"in a refusal",
			(_, response) =>
				sendText(response, JSON.stringify({ error: { code: echo, message: echo, hint: echo } }), 422),
		],
		["in a page", (_, response) => sendText(response, echo, 500, "text/html")],
		[
			"in headers",
			(_, response) =>
				void response.writeHead(403, { "x-request-id": TOKEN, "www-authenticate": echo }).end(),
		],
		["in its id", (_, response) => sendRpc(response, { id: echo, result: {} })],
		[
			"in why it failed",
			(request, response) =>
				sendEventsAndEnd(request, response, taskStarted, {
					statusUpdate: { taskId: "t1", contextId: "c1", status: { state: "TASK_STATE_FAILED", message } },
				}),
		],
		[
			"in the id of a task that is lost",
			(request, response) => sendEventsAndEnd(request, response, { task: { ...taskOf(), id: echo } }),
		],
	])("%s", async (_, answer) => {
		const { server, client } = await useAnswer(answer);
		const fail: RpcHandler = ({ id }, response) =>
			sendRpc(response, { id, error: { code: -1, message: echo } });
		for (const method of ["SubscribeToTask", "GetTask", "CancelTask"]) server.on(method, fail);
		await catchError(client.stream("Hello.").text());
		const stopped = client.stream("Hello.");
		stopped.cancel();
		await catchError(stopped.text());
		await catchError(runGraph(server.origin, "secret"));
	});

	it("in the id of a task, over paths, is not logged", async () => {
		const { server, agent } = fixture(await startHostileAgent());
		server.on("GET", ({ headers, path }, response) => {
			const supportedInterfaces = [
				{ url: `http://${headers.host}/rpc`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
			];
			if (path.endsWith(".json"))
				sendText(response, JSON.stringify(cardOf(headers.host, { supportedInterfaces })));
			else sendText(response, "No.", 503);
		});
		server.on("POST", ({ path }, response) =>
			path.endsWith(":stream")
				? sendText(
						response,
						`data: ${JSON.stringify({ task: { ...taskOf(), id: TOKEN } })}\n\n`,
						200,
						"text/event-stream",
					)
				: sendText(response, "No.", 503),
		);
		await catchError(agent({ maxRetries: 0 }).stream("Hello.").result());
	});

	it("that it was sent last, after others", async () => {
		let count = 0;
		const { server, agent } = fixture(await startHostileAgent());
		server.on("SendStreamingMessage", (request, response) => {
			const text = String(request.headers.authorization);
			const failed = { state: "TASK_STATE_FAILED", message: { ...message, parts: [{ text }] } };
			sendEventsAndEnd(request, response, taskStarted, {
				statusUpdate: { taskId: "t1", contextId: "c1", status: failed },
			});
		});
		const rotating = agent({ token: () => `${TOKEN}_${count++}_end` });
		const error = await catchError(rotating.stream("Hello.").text());
		expect(error).toMatchObject({ code: "task_failed" });
		expect(error.message).not.toContain("_end");
	});

	it.each<readonly [string, object]>([
		[
			"origin",
			{
				supportedInterfaces: [
					{ url: `https://${TOKEN}.example`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
				],
			},
		],
		[
			"binding",
			{ supportedInterfaces: [{ url: "http://a", protocolBinding: TOKEN, protocolVersion: "1.0" }] },
		],
		[
			"version",
			{ supportedInterfaces: [{ url: "http://a", protocolBinding: "JSONRPC", protocolVersion: TOKEN }] },
		],
		["own version", { supportedInterfaces: [], protocolVersion: TOKEN }],
	])("in a card, as its %s", async (_, more) => {
		const { client } = await useCard((host) => cardOf(host, more));
		await catchError(client.send("Hello."));
	});
});

describe("streams that are given up", () => {
	const stalls: Readonly<Record<string, RpcHandler>> = {
		"before an answer": () => undefined,
		"after its head": (_, response) =>
			void response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
		"after the task": (request, response) => sendEvents(request, response, taskStarted),
		"in an event": (request, response) => {
			sendEvents(request, response, taskStarted);
			response.write('data: {"jso');
		},
		"while it waits": (request, response) =>
			sendEvents(request, response, taskStarted, statusOf("INPUT_REQUIRED")),
	};

	it.each(Object.entries(stalls))("%s leave nothing behind", async (when, stall) => {
		const { server, client } = await useAnswer(stall);
		await client.card();
		const controller = new AbortController();
		const reason = new Error("Enough.");
		const calls = Array.from({ length: 20 }, () =>
			catchError(client.stream("Hello.", { signal: controller.signal }).result()),
		);
		await expect.poll(() => server.of("SendStreamingMessage").length).toBe(20);
		await wait(50);
		controller.abort(reason);
		for (const error of await Promise.all(calls)) expect(error).toBe(reason);
		if (when !== "before an answer" && when !== "after its head")
			await expect.poll(() => server.of("CancelTask").length).toBe(20);
		// Nobody knows which task to stop: the answer is waited for, in case it tells.
		else await server.close();
	});

	it("a thousand calls on one signal leave no listener", async () => {
		const kinds: readonly RpcHandler[] = [
			(request, response) => sendEventsAndEnd(request, response, taskStarted, statusOf("COMPLETED")),
			({ id }, response) => sendRpc(response, { id, error: { code: -1, message: "No." } }),
			(_, response) => sendText(response, "no"),
			(_, response) => resetConnection(response),
		];
		let count = 0;
		const { server, client } = await useAnswer((request, response) =>
			kinds[count++ % 4]?.(request, response),
		);
		const { signal } = new AbortController();
		let listeners = 0;
		const { addEventListener, removeEventListener } = signal;
		signal.addEventListener = (...args: unknown[]) => {
			listeners += 1;
			return Reflect.apply(addEventListener, signal, args);
		};
		signal.removeEventListener = (...args: unknown[]) => {
			listeners -= 1;
			return Reflect.apply(removeEventListener, signal, args);
		};
		for (let round = 0; round < 10; round++)
			await Promise.allSettled([
				...Array.from({ length: 50 }, () => client.stream("Hello.", { signal }).result()),
				...Array.from({ length: 50 }, () => client.send("Hello.", { signal })),
			]);
		expect(server.requests.length).toBeGreaterThan(1000);
		expect(listeners).toBe(0);
	});
});
