import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness, findStablePort, type Harness } from "@stemma/simulators/processes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProxyRequests, fetchAuthorization, type ProxyRequests, readText } from "./proxy-requests";
import { type ServiceProgram, startServiceProgram } from "./service-program";
import { DEPLOYED_PROXIES, hasDeployedProxy, startDeployedProxy } from "./start-deployed-proxy";
import type { RunningProxy } from "./start-proxy";

const MEBIBYTE = 1024 * 1024;
const UPLOAD_BYTES = 100 * MEBIBYTE;
const CALLERS = 4;
/** Inputs of runs whose model holds back the second half of its answer. */
const HELD = "Count slowly.";

let harness: Harness;
let vendor: OpenAiSimulator;
let release: () => void;
let folder: string;
let port: number;
let service: ServiceProgram;
let agent: string;
let base: string;
beforeEach(async () => {
	harness = createHarness();
	const { promise: held, resolve } = Promise.withResolvers<void>();
	release = resolve;
	const reply = { kind: "reply", text: "One two three four five six seven eight." } as const;
	vendor = await startOpenAiSimulator({
		behaviour: (body) => (JSON.stringify(body).includes(HELD) ? { ...reply, held } : reply),
	});
	[folder, port] = [await harness.folder(), await findStablePort()];
	service = await start();
});
afterEach(async () => {
	release();
	await harness.end();
	await vendor.close();
});

const start = (): Promise<ServiceProgram> =>
	startServiceProgram(harness, {
		...{ folder, port, vendorUrl: vendor.baseUrl },
		environment: { STEMMA_LIMITS_UPLOAD_BYTES: String(UPLOAD_BYTES + MEBIBYTE) },
	});

const readJson = async (reply: Awaited<ReturnType<ProxyRequests["send"]>>) =>
	JSON.parse(await readText(reply));

/** An upload of 100 MB, whose last piece is sent once `send` is called. */
function createHeldUpload() {
	const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
	const { promise: mayEnd, resolve: send } = Promise.withResolvers<void>();
	async function* body(): AsyncGenerator<Uint8Array> {
		const piece = Buffer.alloc(MEBIBYTE, "x");
		const count = UPLOAD_BYTES / MEBIBYTE;
		yield Buffer.from('{"title":"Large","text":"');
		for (let index = 0; index < count; index++) {
			if (index === count - 1) {
				onStarted();
				await mayEnd;
			}
			yield piece;
		}
		yield Buffer.from('"}');
	}
	return { body: body(), started, send };
}

/** What callers were told is stored. */
interface Acknowledged {
	readonly documents: string[];
	readonly runs: string[];
}

/** Stores documents and starts runs, until something is refused. */
async function load({ sendJson }: ProxyRequests, acknowledged: Acknowledged): Promise<void> {
	for (;;) {
		try {
			const added = await sendJson(`/v1/knowledge-bases/${base}/documents`, { text: "It opens at nine." });
			if (added.status !== 202) return;
			acknowledged.documents.push((await readJson(added)).data[0].id);
			const run = await sendJson(`/v1/agents/${agent}/run`, { input: "Hello?", background: true });
			if (run.status !== 202) return;
			acknowledged.runs.push((await readJson(run)).id);
		} catch {
			return;
		}
	}
}

describe.each(DEPLOYED_PROXIES)("a service behind %s that SIGTERM stops", (name) => {
	let proxy: RunningProxy;
	let requests: ProxyRequests;
	let authorization: string;
	beforeEach(async () => {
		if (!hasDeployedProxy(name)) return;
		proxy = await startDeployedProxy(name, service.url);
		authorization = await fetchAuthorization(service.url, await service.readCredentials());
		requests = createProxyRequests(proxy, authorization);
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }] };
		agent = (await readJson(await requests.sendJson("/v1/agents", { graph }))).id;
		base = (await readJson(await requests.sendJson("/v1/knowledge-bases", { name: "Books" }))).id;
	});
	afterEach(() => proxy?.stop());

	/** Starts a stream whose model holds back the second half. */
	function startHeldStream(path: string, json: object) {
		const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
		async function read(): Promise<string> {
			const { status, pieces } = await requests.sendJson(path, json);
			expect(status).toBe(200);
			let text = "";
			try {
				for await (const piece of pieces) {
					text += piece;
					if (text.includes("One")) onStarted();
				}
			} catch {
				// It was broken off.
			}
			return text;
		}
		return { started, text: read() };
	}
	const startHeldRun = () => startHeldStream(`/v1/agents/${agent}/run`, { input: HELD, stream: true });

	const get = async (path: string) =>
		(await fetch(`${service.url}${path}`, { headers: { authorization } })).json();

	it.skipIf(!hasDeployedProxy(name))(
		"ends what is in flight, and keeps all that it has acknowledged",
		async () => {
			const acknowledged: Acknowledged = { documents: [], runs: [] };
			const loading = Promise.all(Array.from({ length: CALLERS }, () => load(requests, acknowledged)));
			const streamed = startHeldRun();
			const upload = createHeldUpload();
			const uploaded = requests
				.send("POST", `/v1/knowledge-bases/${base}/documents`, {
					headers: { "content-type": "application/json" },
					body: upload.body,
				})
				// On a slow machine, it outlasts the grace and is cut off.
				.catch(() => undefined);
			await Promise.all([streamed.started, upload.started]);
			await expect.poll(() => acknowledged.runs.length).toBeGreaterThan(CALLERS);
			const stopped = service.stop();
			release();
			upload.send();
			await expect.poll(() => isServing(service.url)).toBe(false);
			const text = await streamed.text;
			const large = await uploaded;
			if (large?.status === 202) acknowledged.documents.push((await readJson(large)).data[0].id);
			expect(await stopped).toBe(0);
			await loading;
			service = await start();
			const [, end] = /event: run\.(\w+)\n[^\n]*\n\n$/.exec(text) ?? [];
			expect((await get(`/v1/runs/${/run_[0-9a-z]{26}/.exec(text)?.[0]}`)).status).toBe(end);
			for (const document of acknowledged.documents)
				expect((await get(`/v1/knowledge-bases/${base}/documents/${document}`)).id).toBe(document);
			for (const run of acknowledged.runs)
				expect(["completed", "cancelled"]).toContain((await get(`/v1/runs/${run}`)).status);
		},
	);

	it.skipIf(!hasDeployedProxy(name))(
		"ends what outlasts its grace, with a last event or a comment that asks to rejoin",
		async () => {
			const run = startHeldRun();
			const messages = [{ role: "user", content: HELD }];
			const completion = startHeldStream("/v1/chat/completions", {
				model: "default",
				messages,
				stream: true,
			});
			await Promise.all([run.started, completion.started]);
			expect(await service.stop()).toBe(0);
			expect(await run.text).toContain("event: run.cancelled");
			expect(await completion.text).toMatch(
				/\nretry: 1000\n: The service is stopping\. Rejoin the stream\.\n/,
			);
		},
	);
});

/** Returns whether a service takes requests. */
const isServing = async (url: string): Promise<boolean> => {
	try {
		return (await fetch(`${url}/readyz`)).ok;
	} catch {
		return false;
	}
};
