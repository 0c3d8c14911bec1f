import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { ProviderError } from "@stemma/routing";
import { createOpenAiCompatibleModel } from "@stemma/routing/openai-compatible";
import { EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseOutboundAllow } from "./outbound-allow";
import { OutboundError } from "./outbound-error";
import { createOutboundGate, type OutboundGate, type OutboundLimits } from "./outbound-gate";
import { createTestLookup } from "./test-support/test-lookup";
import { startTestTarget, type TestTarget } from "./test-support/test-target";

const endings: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

function createGate(limits: OutboundLimits = {}): OutboundGate {
	const gate = createOutboundGate({ allow: parseOutboundAllow([]), allowLoopback: true, limits });
	endings.push(() => gate.close());
	return gate;
}

async function startTarget(answer?: RequestListener): Promise<TestTarget & { readonly url: string }> {
	const target = await startTestTarget(answer);
	endings.push(() => target.close());
	return { ...target, url: `http://127.0.0.1:${target.port}/` };
}

/** A server of bytes, for what no HTTP server would say. */
async function startRaw(onConnection: (socket: Socket) => void): Promise<string> {
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		sockets.push(socket.on("error", () => undefined));
		onConnection(socket);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	endings.push(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const PIECE = randomBytes(256 * 1024);

interface EndlessResponse {
	written(): number;
	isEnded(): boolean;
}

/** Writes until it is full or cut off, as fast as it is read. */
function sendEndlessly(response: ServerResponse, bytes = Number.POSITIVE_INFINITY): EndlessResponse {
	let written = 0;
	const write = (): void => {
		while (!response.destroyed && written < bytes) {
			written += PIECE.length;
			if (!response.write(PIECE)) return void response.once("drain", write);
		}
		response.end();
	};
	write();
	return { written: () => written, isEnded: () => response.destroyed };
}

describe("an answer", () => {
	it("is one of the platform", async () => {
		const { url } = await startTarget((request, response) => {
			response.writeHead(418, "Teapot", [
				["X-Method", request.method ?? ""],
				["set-cookie", "a=1"],
				["set-cookie", "b=2"],
				["content-encoding", "gzip"],
			]);
			response.end(gzipSync("a teapot, ü"));
		});
		const response = await createGate().fetch(url, { method: "PUT", body: "x" });
		expect(response).toBeInstanceOf(Response);
		expect([response.status, response.statusText, response.ok]).toEqual([418, "Teapot", false]);
		expect(response.headers.get("x-method")).toBe("PUT");
		expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
		const reader = response.body?.getReader();
		expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("a teapot, ü");
	});

	it.each([204, 205, 304])("of status %i has no body", async (status) => {
		const { url } = await startTarget((_, response) => response.writeHead(status).end());
		const response = await createGate().fetch(url);
		expect([response.status, response.body]).toEqual([status, null]);
	});

	it("comes as it is written", async () => {
		let more = (): unknown => undefined;
		const { url } = await startTarget((_, response) => {
			response.write("one");
			more = () => response.end("two");
		});
		const body = (await createGate().fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
		expect((await body?.read())?.value).toBe("one");
		more();
		expect((await body?.read())?.value).toBe("two");
		expect((await body?.read())?.done).toBe(true);
	});

	it.each([
		["text", () => "body"],
		["bytes", () => new TextEncoder().encode("body")],
		["a form", () => new URLSearchParams({ body: "" })],
		["a blob", () => new Blob(["body"])],
		["a stream", () => new Blob(["body"]).stream()],
	])("comes to a request with %s", async (_, toBody) => {
		const { url, requests } = await startTarget((request, response) => void request.pipe(response));
		const headers = new Headers({ authorization: "Bearer sk-1" });
		const init = { method: "POST", body: toBody(), headers, duplex: "half" };
		expect(await (await createGate().fetch(url, init)).text()).toMatch(/^body=?$/);
		expect(requests).toEqual(["POST / Bearer sk-1"]);
	});

	it("must follow HTTP", async () => {
		const status = await startRaw((socket) => socket.end("HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n"));
		await expect(createGate().fetch(status)).rejects.toMatchObject({ code: "bad_response" });
		const nonsense = await startRaw((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
		await expect(createGate().fetch(nonsense)).rejects.toThrow("fetch failed");
	});
});

describe("a redirect", () => {
	const statuses = [301, 302, 303, 307, 308];
	const init = { headers: { authorization: "Bearer sk-1" } };

	const startRedirect = async (status: number) => {
		const secret = await startTarget();
		const url = `http://127.0.0.1:${secret.port}/secret`;
		return {
			secret,
			...(await startTarget((_, answer) => answer.writeHead(status, { location: url }).end())),
		};
	};

	it.each(statuses)("of status %i is not followed", async (status) => {
		const { url, secret } = await startRedirect(status);
		const gate = createGate();
		for (const redirect of [undefined, "follow", "error"] as const) {
			const error = await gate.fetch(url, { ...init, ...(redirect && { redirect }) }).catch(String);
			expect(error).toMatch(/^OutboundError: The called address responded with a redirect/);
		}
		expect(secret.connections()).toBe(0);
	});

	it.each(statuses)("of status %i is the answer where it is asked for", async (status) => {
		const { url, secret } = await startRedirect(status);
		const response = await createGate().fetch(url, { ...init, redirect: "manual" });
		expect([response.status, response.redirected]).toEqual([status, false]);
		expect(secret.connections()).toBe(0);
	});
});

describe("an answer that is too much", () => {
	const MEBIBYTE = 1024 * 1024;

	it.each([
		["of 100 MB", 100 * MEBIBYTE],
		["without an end", Number.POSITIVE_INFINITY],
	])("%s is cut off", async (_, bytes) => {
		let sentBytes: EndlessResponse | undefined;
		const { url } = await startTarget((_, response) => {
			sentBytes = sendEndlessly(response, bytes);
		});
		const response = await createGate({ maxResponseBytes: 2 * MEBIBYTE }).fetch(url);
		const error = await response.arrayBuffer().catch((thrown: unknown) => thrown);
		expect(OutboundError.is(error)).toBe(true);
		expect(error).toMatchObject({ code: "response_too_large" });
		expect(String(error)).toContain("2,097,152 bytes");
		await expect.poll(() => sentBytes?.isEnded()).toBe(true);
		expect(sentBytes?.written()).toBeLessThan(40 * MEBIBYTE);
	});

	it.each([
		["application/json", 4],
		["text/event-stream; charset=utf-8", 64],
		["application/vnd.amazon.eventstream", 64],
	])("is cut off by default: %s at %d MiB", async (type, maxMebibytes) => {
		const { url } = await startTarget((_, response) => {
			response.setHeader("content-type", type);
			sendEndlessly(response, 100 * MEBIBYTE);
		});
		const reader = (await createGate().fetch(url)).body?.getReader();
		let length = 0;
		const error = await (async () => {
			for (;;) length += (await reader?.read())?.value?.length ?? Number.NaN;
		})().catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "response_too_large" });
		expect(length).toBeLessThanOrEqual(maxMebibytes * MEBIBYTE);
		expect(length).toBeGreaterThan((maxMebibytes - 1) * MEBIBYTE);
	});

	it("is measured after it was unpacked", async () => {
		const bomb = gzipSync(Buffer.alloc(64 * MEBIBYTE));
		expect(bomb.length).toBeLessThan(MEBIBYTE);
		const { url } = await startTarget((_, response) =>
			response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
		);
		const response = await createGate({ maxResponseBytes: MEBIBYTE }).fetch(url);
		await expect(response.text()).rejects.toMatchObject({ code: "response_too_large" });
	});

	it("may be exactly as long as it may be", async () => {
		const { url } = await startTarget((_, response) => response.end("12345"));
		expect(await (await createGate({ maxResponseBytes: 5 }).fetch(url)).text()).toBe("12345");
		const response = await createGate({ maxResponseBytes: 4 }).fetch(url);
		await expect(response.text()).rejects.toMatchObject({ code: "response_too_large" });
	});

	it("is not read faster than its reader reads", async () => {
		let sentBytes: EndlessResponse | undefined;
		const { url } = await startTarget((_, response) => {
			sentBytes = sendEndlessly(response);
		});
		const response = await createGate({ maxResponseBytes: 2 * MEBIBYTE }).fetch(url);
		await setTimeout(500);
		// As much as the buffers on the way hold, and not as much as ends it.
		expect(sentBytes?.written()).toBeLessThan(32 * MEBIBYTE);
		const reader = response.body?.getReader();
		expect((await reader?.read())?.done).toBe(false);
		await reader?.cancel();
	});
});

describe("time", () => {
	it("ends with an answer that does not begin", async () => {
		const { url } = await startTarget(() => undefined);
		for (const init of [{}, { signal: new AbortController().signal }]) {
			const call = createGate({ totalMs: 100 }).fetch(url, init);
			await expect(call).rejects.toMatchObject({ code: "outbound_timeout" });
		}
	});

	it("ends with an answer that does not end", async () => {
		const { url } = await startTarget((_, response) => {
			const timer = setInterval(() => response.write("."), 10);
			response.on("close", () => clearInterval(timer));
		});
		const response = await createGate({ totalMs: 2000 }).fetch(url);
		await expect(response.text()).rejects.toMatchObject({ code: "outbound_timeout" });
	});

	it("ends with a name that nobody answers for", async () => {
		const gate = createOutboundGate({
			allow: parseOutboundAllow([]),
			allowLoopback: false,
			lookup: () => undefined,
			limits: { connectMs: 50 },
		});
		endings.push(() => gate.close());
		const error = await gate.fetch("http://silent.example/").catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ message: "fetch failed", cause: { code: "UND_ERR_CONNECT_TIMEOUT" } });
		expect(await gate.check("http://silent.example/")).toBeUndefined();
	});

	it("ends with a connection that is not secured", async () => {
		const url = await startRaw(() => undefined);
		const error = await createGate({ connectMs: 50 })
			.fetch(url.replace("http:", "https:"))
			.catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ cause: { code: "UND_ERR_CONNECT_TIMEOUT" } });
	});
});

describe("the caller", () => {
	const REASON = new Error("Nobody waits any more.");

	it("aborts before the call", async () => {
		const target = await startTarget();
		const init = { signal: AbortSignal.abort(REASON) };
		await expect(createGate().fetch(target.url, init)).rejects.toBe(REASON);
		expect(target.connections()).toBe(0);
	});

	it("aborts while it waits", async () => {
		const controller = new AbortController();
		let closed = false;
		const { url } = await startTarget((_, response) => {
			response.on("close", () => {
				closed = true;
			});
			controller.abort(REASON);
		});
		await expect(createGate().fetch(url, { signal: controller.signal })).rejects.toBe(REASON);
		await expect.poll(() => closed).toBe(true);
	});

	it("aborts while it reads", async () => {
		const controller = new AbortController();
		const { url } = await startTarget((_, response) => response.write("one"));
		const response = await createGate().fetch(url, { signal: controller.signal });
		const reader = response.body?.getReader();
		await reader?.read();
		controller.abort(REASON);
		await expect(reader?.read()).rejects.toBe(REASON);
	});

	it("leaves, and the connection closes", async () => {
		let closed = false;
		const { url } = await startTarget((_, response) => {
			response.write("one");
			response.on("close", () => {
				closed = true;
			});
		});
		await (await createGate().fetch(url)).body?.cancel();
		await expect.poll(() => closed).toBe(true);
	});
});

describe("connections", () => {
	it("are used again", async () => {
		const target = await startTarget();
		const gate = createGate();
		for (let call = 0; call < 5; call += 1) {
			await (await gate.fetch(target.url)).text();
			await setTimeout(20);
		}
		expect([target.requests.length, target.connections()]).toEqual([5, 1]);
	});

	it("are as many as calls at once, and no name opens another's way", async () => {
		const target = await startTarget();
		const { lookup } = createTestLookup({ "open.example": [["127.0.0.1"]], "shut.example": [["127.0.0.2"]] });
		const gate = createOutboundGate({
			allow: parseOutboundAllow(["open.example"]),
			allowLoopback: false,
			lookup,
		});
		endings.push(() => gate.close());
		const call = async (host: string): Promise<string> => {
			const { port } = target;
			const answer = await gate.fetch(`http://${host}.example:${port}/`).then(
				(response) => response.text(),
				(error) => error.code,
			);
			return `${host} ${answer}`;
		};
		const hosts = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? "open" : "shut"));
		const answers = await Promise.all(hosts.map(call));
		expect(answers).toEqual(hosts.map((host) => `${host} ${host === "open" ? "hello" : "blocked_address"}`));
		expect([target.requests.length, target.connections()]).toEqual([20, 20]);
	});

	it("go to what was checked, whatever the caller and the environment say", async () => {
		const [target, proxy] = [await startTarget(), await startTarget()];
		for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"])
			vi.stubEnv(name, proxy.url);
		const defaultDispatcher = getGlobalDispatcher();
		const viaProxy = new EnvHttpProxyAgent();
		setGlobalDispatcher(viaProxy);
		endings.push(() => {
			vi.unstubAllEnvs();
			setGlobalDispatcher(defaultDispatcher);
			return viaProxy.destroy();
		});
		const closed = createOutboundGate({ allow: parseOutboundAllow([]), allowLoopback: false });
		endings.push(() => closed.close());
		for (const init of [{}, { dispatcher: viaProxy }] as RequestInit[]) {
			expect(await (await createGate().fetch(target.url, init)).text()).toBe("hello");
			await expect(closed.fetch(target.url, init)).rejects.toMatchObject({ code: "blocked_address" });
		}
		expect([target.requests.length, proxy.connections()]).toEqual([2, 0]);
	});

	it("go to the site of the URL, whatever the headers say", async () => {
		const { url, port } = await startTarget((request, response) => response.end(request.headers.host));
		for (const headers of [{ Host: "vault.internal" }, [["hOST", "vault.internal"]]] as HeadersInit[])
			expect(await (await createGate().fetch(url, { headers })).text()).toBe(`127.0.0.1:${port}`);
	});

	it("end when the gate closes", async () => {
		const { url } = await startTarget((request, response) => {
			if (request.url === "/begun") response.write("one");
		});
		const gate = createGate();
		const waiting = gate.fetch(url).catch((error: unknown) => error);
		const started = (await gate.fetch(`${url}begun`)).text().catch((error: unknown) => error);
		await gate.close();
		for (const error of [await waiting, await started, await gate.fetch(url).catch((late: unknown) => late)])
			expect(error).toBeInstanceOf(TypeError);
		await gate.close();
	});
});

describe("the models of routing", () => {
	const ask = (gate: OutboundGate, baseUrl: string): Promise<unknown> =>
		createOpenAiCompatibleModel({ baseUrl, model: "m", apiKey: "sk-1", fetch: gate.fetch })
			.generate({ messages: [{ role: "user", content: "Hello?" }] })
			.catch((error: unknown) => error);

	it("answer through the gate", async () => {
		const { url } = await startTarget((_, response) =>
			response.writeHead(200, { "content-type": "application/json" }).end(
				JSON.stringify({
					choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
				}),
			),
		);
		expect(await ask(createGate(), `${url}v1`)).toMatchObject({ text: "Hi." });
	});

	it("pass on that an address is blocked, and ask for its name once", async () => {
		const { lookup, lookups } = createTestLookup({ "private.example": [["10.0.0.1"]] });
		const gate = createOutboundGate({ allow: parseOutboundAllow([]), allowLoopback: false, lookup });
		endings.push(() => gate.close());
		for (const host of ["private.example", "10.0.0.1"])
			expect(await ask(gate, `http://${host}/v1`)).toMatchObject({
				name: "BlockedAddressError",
				code: "blocked_address",
			});
		expect(lookups).toEqual(["private.example"]);
	});

	it("tell of a redirect themselves", async () => {
		const secret = await startTarget();
		const { url } = await startTarget((_, response) =>
			response.writeHead(307, { location: secret.url }).end(),
		);
		const error = await ask(createGate(), `${url}v1`);
		expect(ProviderError.is(error)).toBe(true);
		expect(error).toMatchObject({ code: "bad_response", message: expect.stringContaining("redirect") });
		expect(secret.connections()).toBe(0);
	});
});
