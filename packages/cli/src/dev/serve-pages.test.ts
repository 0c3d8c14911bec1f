import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { routeRequest } from "./route-request";
import { createPages } from "./serve-pages";

let project: string;
let pages: ReturnType<typeof createPages>;
beforeAll(async () => {
	project = await realpath(await mkdtemp(join(tmpdir(), "stemma-pages-")));
	await write("web/index.html", "<title>Desk</title>");
	await write("web/a b.js", "export {};");
	await write("web/.env", "SECRET=1");
	await write("web/key.pem", "secret");
	await write("secret.json", "{}");
	await symlink(join(project, "secret.json"), join(project, "web/link.json"));
	await write("node_modules/@stemma/client/package.json", '{ "name": "@stemma/client" }');
	await write("node_modules/@stemma/client/dist/index.js", "export {};");
	pages = createPages(join(project, "web"), "/web/");
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
	await mkdir(dirname(join(project, name)), { recursive: true });
	await writeFile(join(project, name), text);
}

const get = (path: string, init?: RequestInit): Promise<Response> =>
	pages(new Request(`http://localhost:4000${path}`, init));

it.each([
	["/web/", "text/html; charset=utf-8", "<title>Desk</title>"],
	["/web/a%20b.js", "text/javascript; charset=utf-8", "export {};"],
	["/web/modules/@stemma/client/dist/index.js", "text/javascript; charset=utf-8", "export {};"],
])("serves %s", async (path, type, text) => {
	const response = await get(path);
	expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
	expect(await response.text()).toBe(text);
	expect((await get(path, { method: "HEAD" })).body).toBeNull();
});

it.each([
	"/web/none.html",
	"/web/.env",
	"/web/key.pem",
	"/web/link.json",
	"/web/%2e%2e/secret.json",
	"/web/..%2fsecret.json",
	"/web/..%5csecret.json",
	"/web/%00.json",
	"/web/%",
	"/web/modules/@stemma/client/../../../secret.json",
	"/web/modules/@stemma%2fclient/..%2f..%2f..%2fsecret.json",
	"/web/modules/none/index.js",
	"/web/modules/@stemma/client",
])("finds nothing at %s", async (path) => {
	expect((await get(path)).status).toBe(404);
});

it("leads to the folder, and takes no other method", async () => {
	const response = await get("/web");
	expect([response.status, response.headers.get("location")]).toEqual([302, "http://localhost:4000/web/"]);
	expect((await get("/web/", { method: "POST" })).status).toBe(405);
});

it("routes agents and runs to the runtime, pages to a name of this machine alone, and leaves the rest to the service", async () => {
	const servers = { pages, runtime: () => Promise.resolve(new Response("runtime")) };
	const route = (url: string) => routeRequest(new Request(url), servers);
	for (const path of ["/agents", "/run/desk", "/runs/run_1/events"])
		expect(await (await route(`http://localhost:4000${path}`))?.text()).toBe("runtime");
	for (const path of ["/", "/v1/agents", "/website", "/agents/x", "/a2a/desk", "/healthz"])
		expect(route(`http://localhost:4000${path}`)).toBeUndefined();
	expect((await route("http://127.0.0.1:4000/web/"))?.status).toBe(200);
	expect((await route("http://rebound.example:4000/web/"))?.status).toBe(403);
	const { runtime } = servers;
	expect(routeRequest(new Request("http://localhost:4000/web/"), { runtime })).toBeUndefined();
});
