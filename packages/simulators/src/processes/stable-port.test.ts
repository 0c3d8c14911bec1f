import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { findStablePort } from "./stable-port.ts";

async function listen(port: number) {
	const server = createServer().listen(port, "127.0.0.1");
	await once(server, "listening");
	return { server, port: (server.address() as AddressInfo).port };
}

it("finds a port that can be listened at, below those that the system gives away", async () => {
	const stable = await listen(await findStablePort());
	const given = await Promise.all(Array.from({ length: 100 }, () => listen(0)));
	expect(Math.min(...given.map(({ port }) => port))).toBeGreaterThan(stable.port);
	for (const { server } of [stable, ...given]) server.close();
});
