import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveConfiguration, startService } from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	createProxyRequests,
	fetchAuthorization,
	type ProxyRequests,
	type Reply,
	readText,
} from "./proxy-requests";
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
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	authorization = await fetchAuthorization(service.url, credentials);
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

/** Sends a request again as long as the service says that it starts. @returns the statuses. */
async function sendUntilStarted({ send }: ProxyRequests): Promise<readonly number[]> {
	const statuses: number[] = [];
	do statuses.push((await send("GET", "/v1/agents")).status);
	while (statuses.at(-1) === 503);
	return statuses;
}

/** Starts a stream whose second half the vendor holds back. */
async function startHeldStream({
	sendJson,
}: ProxyRequests): Promise<{ readonly reply: Reply; release(): void }> {
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	vendor.enqueue({ kind: "reply", text: "One two three four five six seven eight.", held });
	const question = { model: "simulated-1", messages: [{ role: "user", content: "Count." }], stream: true };
	return { reply: await sendJson("/v1/chat/completions", question), release };
}

describe.each(DEPLOYED_PROXIES)("the configuration for %s", (name) => {
	let proxy: RunningProxy;
	let requests: ProxyRequests;
	beforeEach(async () => {
		if (!hasDeployedProxy(name)) return;
		proxy = await startDeployedProxy(name, service.url);
		requests = createProxyRequests(proxy, authorization);
	});
	afterEach(() => proxy?.stop());

	it.skipIf(!hasDeployedProxy(name))("passes a stream on piece by piece", async () => {
		const { reply, release } = await startHeldStream(requests);
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
		const created = await requests.sendJson("/v1/knowledge-bases", json);
		const { id } = JSON.parse(await readText(created)) as { readonly id: string };
		const piece = Buffer.alloc(MEBIBYTE, "x");
		const text = Array.from({ length: UPLOAD_BYTES / MEBIBYTE }, () => piece);
		const reply = await requests.send("POST", `/v1/knowledge-bases/${id}/documents`, {
			headers: { "content-type": "application/json" },
			body: [Buffer.from('{"title":"Large","text":"'), ...text, Buffer.from('"}')],
		});
		expect([reply.status, await readText(reply)]).toEqual([202, expect.stringContaining("Large")]);
	});

	it.skipIf(!hasDeployedProxy(name))("lets a stream end while the service is stopped", async () => {
		const { reply, release } = await startHeldStream(requests);
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
		expect((await requests.send("GET", "/metrics")).status).toBe(404);
		expect((await requests.send("GET", "/healthz")).status).toBe(200);
	});

	it.skipIf(!hasDeployedProxy(name) || name === "nginx")(
		"holds requests while the service restarts",
		async () => {
			const { port } = service;
			await service.close(0);
			const waiting = sendUntilStarted(requests);
			service = await start(port);
			// 503 comes of a service that starts, and clients try again; 502 would come of the proxy.
			expect((await waiting).filter((status) => status !== 503)).toEqual([200]);
		},
	);
});
