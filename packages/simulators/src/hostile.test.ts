import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { type HostileServer, startHostileServer } from "./hostile/server";

let server: HostileServer | undefined;
afterEach(() => server?.close());

const start = (baseUrl: string, key: string, accept = "text/event-stream") =>
	fetch(`${baseUrl}/v1/agents/desk/run`, {
		method: "POST",
		headers: { "idempotency-key": key, accept },
		body: "{}",
	});

it("starts one run for each key", async () => {
	server = await startHostileServer();
	for (const key of ["a", "a", "b"]) await (await start(server.baseUrl, key)).text();
	expect(server.runs.map(({ key }) => key)).toEqual(["a", "b"]);
});

it("does what is queued, once each, then what is always done, then right", async () => {
	server = await startHostileServer();
	server.enqueue("search", { kind: "status", status: 418 }, { kind: "reset", when: "before-headers" });
	const search = () => fetch(`${server?.baseUrl}/v1/search`, { method: "POST" });
	expect((await search()).status).toBe(418);
	await expect(search()).rejects.toThrow("fetch failed");
	expect((await search()).status).toBe(200);
	server.setDefault("search", { kind: "status", status: 500, body: "html" });
	for (let time = 0; time < 2; time++) expect((await search()).status).toBe(500);
	expect(server.requests.map(({ route, isAnswered }) => [route, isAnswered])).toEqual([
		["search", true],
		["search", false],
		["search", true],
		["search", true],
		["search", true],
	]);
});

it("gives the events after the last that is known, to whoever has the run's token", async () => {
	server = await startHostileServer();
	await (await start(server.baseUrl, "a")).text();
	const events = (headers: Record<string, string>) =>
		fetch(`${server?.baseUrl}/v1/runs/run_1/events`, {
			headers: { accept: "text/event-stream", ...headers },
		});
	expect((await events({})).status).toBe(404);
	const { token = "" } = server.runs[0] ?? {};
	const text = await (await events({ "stemma-run-token": token, "last-event-id": "4" })).text();
	expect(text.match(/^id: \d+/gm)).toEqual(["id: 5", "id: 6"]);
});

it("refuses what was revoked, and nothing else", async () => {
	server = await startHostileServer();
	const get = async (token: string) =>
		(await fetch(`${server?.baseUrl}/v1/agents`, { headers: { authorization: `Bearer ${token}` } })).status;
	expect(await get("old")).toBe(200);
	server.revokeCredentials();
	expect([await get("old"), await get("new")]).toEqual([401, 200]);
});

it("comes back on the same port, with its runs or without", async () => {
	server = await startHostileServer();
	await (await start(server.baseUrl, "a")).text();
	await server.restart();
	await (await start(server.baseUrl, "a")).text();
	expect(server.runs).toHaveLength(1);
	await server.restart({ losesRuns: true });
	await (await start(server.baseUrl, "a")).text();
	expect(server.runs).toHaveLength(2);
});

it("can be run by hand", async () => {
	const main = fileURLToPath(new URL("hostile/main.ts", import.meta.url));
	const child = spawn(process.execPath, [main, "--next", 'search={"kind":"status","status":418}']);
	try {
		const [line] = await once(child.stdout, "data");
		const { base_url } = JSON.parse(String(line));
		const search = async () => (await fetch(`${base_url}/v1/search`, { method: "POST" })).status;
		expect([await search(), await search()]).toEqual([418, 200]);
	} finally {
		child.kill();
	}
});
