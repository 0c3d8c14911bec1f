import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProxy, PROXIES, startProxy } from "./start-proxy";
import { type ProbeRequest, startUpstreamRuntime, startUpstreamService, type Upstream } from "./upstreams";

/** Status of the answer, or why there is none. */
function send(
	url: string,
	{ method, path, headers, body }: ProbeRequest,
	agent: Agent,
): Promise<number | string> {
	return new Promise((resolve) => {
		const length = body === undefined ? {} : { "content-length": String(body.length) };
		const sent = request(`${url}${path}`, { method, agent, headers: { ...headers, ...length } }, (answer) => {
			answer.on("error", ({ message }) => resolve(message));
			answer.on("end", () => resolve(answer.statusCode ?? 0));
			answer.resume();
		});
		sent.on("error", ({ message }) => resolve(message));
		sent.end(body);
	});
}

/** Sends kinds of requests in turn, one after another. Gives those that were not answered as expected. */
async function sendSequentially(
	url: string,
	kinds: readonly ProbeRequest[],
	times: number,
): Promise<readonly object[]> {
	const lost: object[] = [];
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	for (let round = 0; round < times; round++)
		for (const kind of kinds) {
			const status = await send(url, kind, agent);
			if (status !== kind.status) lost.push({ path: kind.path, status });
		}
	agent.destroy();
	return lost;
}

describe.each([
	["service", startUpstreamService],
	["runtime", startUpstreamRuntime],
])("requests that share a connection with one that the %s answers early", (_, startUpstream) => {
	let upstream: Upstream;
	beforeAll(async () => {
		upstream = await startUpstream();
	});
	afterAll(() => upstream?.close());

	describe.each(PROXIES)("through %s", (name) => {
		it.skipIf(!hasProxy(name))("are all answered", async () => {
			const proxy = await startProxy(name, upstream.url);
			try {
				const { refused, quick, slow } = upstream;
				const lost = await Promise.all([
					sendSequentially(proxy.url, refused, 8).then(() => []),
					sendSequentially(proxy.url, slow, 6),
					sendSequentially(proxy.url, slow, 6),
					sendSequentially(proxy.url, slow, 6),
					sendSequentially(proxy.url, quick, 20),
				]);
				expect(lost.flat()).toEqual([]);
			} finally {
				await proxy.stop();
			}
		});
	});
});
