import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveConfiguration, startService } from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProxy, PROXIES, startProxy } from "./start-proxy";

/** Attempts to sign in that the service lets one address make in a minute, and more. */
const ATTEMPTS = 70;

let data: string;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
	data = await mkdtemp(join(tmpdir(), "stemma-proxies-"));
	const content = {
		data,
		listen: { port: 0, trusted_proxies: ["loopback"] },
		log: { level: "silent" as const },
	};
	service = await startService(resolveConfiguration({ content }));
});
afterAll(async () => {
	await service?.close(0);
	await rm(data, { recursive: true, force: true });
});

/** Sends a wrong link. The service trusts this machine, so that the address in front of it can be any. */
async function tryLink(url: string, client: string): Promise<number> {
	const { host } = new URL(url);
	const response = await fetch(`${url}/v1/session`, {
		method: "POST",
		headers: {
			...{ "content-type": "application/json", origin: `http://${host}`, "stemma-csrf": "1" },
			// As a proxy before this one says it.
			"x-forwarded-for": client,
		},
		body: JSON.stringify({ token: `sl_${"b".repeat(43)}` }),
	});
	await response.arrayBuffer();
	return response.status;
}

describe.each(PROXIES)("people behind %s", (name) => {
	it.skipIf(!hasProxy(name))("have rates of their own", async () => {
		const proxy = await startProxy(name, service.url);
		// Another network for each proxy, as the service is the same.
		const network = `198.51.${PROXIES.indexOf(name)}`;
		try {
			let status = 0;
			for (let count = 0; count < ATTEMPTS && status !== 429; count++)
				status = await tryLink(proxy.url, `${network}.1`);
			expect(status).toBe(429);
			expect(await tryLink(proxy.url, `${network}.2`)).toBe(401);
			// What was there before counts for nothing.
			expect(await tryLink(proxy.url, `${network}.3, ${network}.1`)).toBe(429);
		} finally {
			await proxy.stop();
		}
	});
});
