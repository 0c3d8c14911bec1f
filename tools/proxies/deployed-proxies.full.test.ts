import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { resolveConfiguration, startService } from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEPLOYED_PROXIES, hasDeployedProxy, startDeployedProxy } from "./start-deployed-proxy";
import type { RunningProxy } from "./start-proxy";

// The configurations of `deploy/`, run by the real programs: they are skipped where a program is not installed.

const MEBIBYTE = 1024 * 1024;
const UPLOAD_BYTES = 100 * MEBIBYTE;

type Service = Awaited<ReturnType<typeof startService>>;

let data: string;
let vendor: OpenAiSimulator;
let service: Service;
let authorization: string;
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), "stemma-proxies-"));
	vendor = await startOpenAiSimulator();
	service = await start();
	const { client_id, client_secret } = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const { access_token } = await (await fetch(`${service.url}/oauth/token`, { method: "POST", body })).json();
	authorization = `Bearer ${access_token}`;
});
afterEach(async () => {
	await service.close(0);
	await vendor.close();
	await rm(data, { recursive: true, force: true });
});

const start = (port = 0): Promise<Service> =>
	startService(
		resolveConfiguration({
			content: {
				data,
				listen: { port, trusted_proxies: ["loopback"] },
				log: { level: "silent" },
				limits: { upload_bytes: UPLOAD_BYTES + MEBIBYTE },
				providers: {
					main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "simulated-1" },
				},
				chat: "main",
			},
		}),
	);

interface Reply {
	readonly status: number;
	/** Pieces of the body as they come. */
	readonly pieces: AsyncIterable<Buffer>;
}

/** Sends a request to a proxy, whose certificate nobody has signed. */
function send(
	{ url }: RunningProxy,
	method: string,
	path: string,
	{ headers = {}, body = [] }: { readonly headers?: object; readonly body?: Iterable<Uint8Array> } = {},
): Promise<Reply> {
	const { port } = new URL(url);
	const options: RequestOptions = {
		...{ host: "127.0.0.1", port, servername: "localhost", method, path },
		headers: { host: `localhost:${port}`, authorization, ...headers },
		agent: new Agent({ rejectUnauthorized: false }),
	};
	return new Promise((resolve, reject) => {
		const sent = request(options, (response) =>
			resolve({ status: response.statusCode ?? 0, pieces: response }),
		);
		sent.on("error", reject);
		pipeline(Readable.from(body), sent).catch(reject);
	});
}

const sendJson = (proxy: RunningProxy, path: string, json: object): Promise<Reply> =>
	send(proxy, "POST", path, {
		headers: { "content-type": "application/json" },
		body: [Buffer.from(JSON.stringify(json))],
	});

async function readText({ pieces }: Reply): Promise<string> {
	let text = "";
	for await (const piece of pieces) text += piece;
	return text;
}

/** Sends a request again as long as the service says that it starts. @returns the statuses. */
async function sendUntilStarted(proxy: RunningProxy): Promise<readonly number[]> {
	const statuses: number[] = [];
	do statuses.push((await send(proxy, "GET", "/v1/agents")).status);
	while (statuses.at(-1) === 503);
	return statuses;
}

/** Starts a stream whose second half the vendor holds back. */
async function startHeldStream(proxy: RunningProxy): Promise<{ readonly reply: Reply; release(): void }> {
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	vendor.enqueue({ kind: "reply", text: "One two three four five six seven eight.", held });
	const question = { model: "simulated-1", messages: [{ role: "user", content: "Count." }], stream: true };
	return { reply: await sendJson(proxy, "/v1/chat/completions", question), release };
}

describe.each(DEPLOYED_PROXIES)("the configuration for %s", (name) => {
	let proxy: RunningProxy;
	beforeEach(async () => {
		if (hasDeployedProxy(name)) proxy = await startDeployedProxy(name, service.url);
	});
	afterEach(() => proxy?.stop());

	it.skipIf(!hasDeployedProxy(name))("passes a stream on piece by piece", async () => {
		const { reply, release } = await startHeldStream(proxy);
		expect(reply.status).toBe(200);
		let text = "";
		for await (const piece of reply.pieces) {
			text += piece;
			// It would never come if the proxy waited for the end.
			if (text.includes("One")) release();
		}
		expect(text).toContain("ight.");
		expect(text).toContain("[DONE]");
	});

	it.skipIf(!hasDeployedProxy(name))("takes an upload of 100 MB, without keeping it", async () => {
		const json = { name: "Large" };
		const created = await sendJson(proxy, "/v1/knowledge-bases", json);
		const { id } = JSON.parse(await readText(created)) as { readonly id: string };
		const piece = Buffer.alloc(MEBIBYTE, "x");
		const text = Array.from({ length: UPLOAD_BYTES / MEBIBYTE }, () => piece);
		const reply = await send(proxy, "POST", `/v1/knowledge-bases/${id}/documents`, {
			headers: { "content-type": "application/json" },
			body: [Buffer.from('{"title":"Large","text":"'), ...text, Buffer.from('"}')],
		});
		expect([reply.status, await readText(reply)]).toEqual([202, expect.stringContaining("Large")]);
	});

	it.skipIf(!hasDeployedProxy(name))("lets a stream end while the service is stopped", async () => {
		const { reply, release } = await startHeldStream(proxy);
		const iterator = reply.pieces[Symbol.asyncIterator]();
		let text = String((await iterator.next()).value);
		const closed = service.close(30_000);
		release();
		for (;;) {
			const { done, value } = await iterator.next();
			if (done) break;
			text += value;
		}
		expect(text).toContain("[DONE]");
		await closed;
	});

	it.skipIf(!hasDeployedProxy(name))("keeps the metrics to this machine", async () => {
		expect((await send(proxy, "GET", "/metrics")).status).toBe(404);
		expect((await send(proxy, "GET", "/healthz")).status).toBe(200);
	});

	it.skipIf(!hasDeployedProxy(name) || name === "nginx")(
		"holds requests while the service restarts",
		async () => {
			const { port } = service;
			await service.close(0);
			const waiting = sendUntilStarted(proxy);
			service = await start(port);
			// 503 comes of a service that starts, and clients try again; 502 would come of the proxy.
			expect((await waiting).filter((status) => status !== 503)).toEqual([200]);
		},
	);
});
