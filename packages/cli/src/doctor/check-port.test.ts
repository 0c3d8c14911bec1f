import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { checkPort } from "./check-port";

it("finds a port that another program uses, unless it is the service of the folder", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const { port } = other.address() as AddressInfo;
	const listen = { host: "127.0.0.1", port };
	expect((await checkPort(listen)).problem).toMatchObject({ severity: "error", code: "port_in_use" });
	expect(await checkPort(listen, `http://127.0.0.1:${port}`)).not.toHaveProperty("problem");
	other.close();
	await once(other, "close");
	expect(await checkPort(listen)).toEqual({ name: "port", result: `${port} is free` });
});

it("finds an address that this machine does not have", async () => {
	const { problem } = await checkPort({ host: "192.0.2.1", port: 0 });
	expect(problem).toMatchObject({ code: "cannot_listen", hint: expect.stringContaining("listen.host") });
});
