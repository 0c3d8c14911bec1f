import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedWorkspace, KnowledgeBase } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type OpenUpload, openUpload } from "./test-support/open-upload";
import { type SendRequest, sendTo, type TestResponse } from "./test-support/send-request";
import { getBody } from "./test-support/tenant";
import { fetchToken, toTestConfiguration } from "./test-support/test-deployment";

const MEBIBYTE = 1024 * 1024;
/** Of a workspace; all together may have twice as much. */
const SHARE = MEBIBYTE;

interface Tenant {
	readonly token: string;
	readonly send: SendRequest;
	readonly base: string;
}

let folder: string;
let service: built.RunningService;
let tenants: { readonly a: Tenant; readonly b: Tenant; readonly c: Tenant };
const filling = new Map<Tenant, OpenUpload>();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-bodies-"));
	service = await built.startService(
		toTestConfiguration(built, folder, {
			limits: { body_bytes: SHARE, total_body_bytes: 2 * SHARE, spool_bytes: MEBIBYTE },
		}),
	);
	const first = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	const a = await toTenant(first);
	const add = async (name: string) =>
		toTenant(await getBody<CreatedWorkspace>(a.send("POST", "/v1/workspaces", { json: { name } })));
	tenants = { a, b: await add("b"), c: await add("c") };
});
afterEach(async () => {
	for (const upload of filling.values()) upload.abort();
	filling.clear();
	for (const tenant of Object.values(tenants)) await expectRoom(tenant);
});
afterAll(async () => {
	await service?.close(0);
	await rm(folder, { recursive: true, force: true });
});

async function toTenant(credentials: Pick<CreatedWorkspace, "client_id" | "client_secret">): Promise<Tenant> {
	const token = await fetchToken(sendTo(fetch, undefined, service.url), credentials);
	const send = sendTo(fetch, token, service.url);
	const { id } = await getBody<KnowledgeBase>(
		send("POST", "/v1/knowledge-bases", { json: { name: "books" } }),
	);
	return { token, send, base: id };
}

/** Sends so much of a body, and then nothing. */
async function holdBody({ token }: Tenant, bytes: number): Promise<OpenUpload> {
	const type = "application/json";
	const upload = openUpload({
		url: `${service.url}/v1/search`,
		token,
		type,
		head: '{"query":"',
		filler: " ",
	});
	await upload.write(bytes);
	return upload;
}

const LARGE = " ".repeat(200_000);
const sendLarge = ({ send }: Tenant, path: string): Promise<TestResponse> =>
	send("POST", path, { json: { query: LARGE } });

const expectRefused = (tenant: Tenant, status: number, path = "/v1/search"): Promise<void> =>
	expect
		.poll(async () => {
			await refill();
			const { status, body, headers } = await sendLarge(tenant, path);
			return [status, JSON.stringify(body).includes("too_many_bytes"), headers.get("retry-after")];
		})
		.toEqual([status, true, "1"]);

/** A body that is read is told that it is too long a question. */
const expectRoom = (tenant: Tenant): Promise<void> =>
	expect.poll(async () => (await sendLarge(tenant, "/v1/search")).status).toBe(400);

/** A share that is used up but for less than a large body. */
async function fill(tenant: Tenant): Promise<void> {
	const upload = await holdBody(tenant, SHARE - 65_536);
	filling.set(tenant, upload);
}

/** What was sent is not at once what was read: it may have met another body, and been refused. */
async function refill(): Promise<void> {
	for (const [tenant, upload] of filling) if (upload.isAnswered) await fill(tenant);
}

describe("bodies in memory", () => {
	it("of one workspace are no more than its share, and others are served", async () => {
		const { a, b } = tenants;
		await fill(a);
		await expectRefused(a, 429);
		const json = { query: "small", knowledge_base_ids: [a.base] };
		expect((await a.send("POST", "/v1/search", { json })).status).toBe(200);
		await expectRoom(b);
	});

	it.each(["/v1/chat/completions", "/v1/embeddings", "/v1/ask", "/v1/agents", "/v1/models/resolve", "/mcp"])(
		"count on every route: %s",
		async (path) => {
			await fill(tenants.a);
			await expectRefused(tenants.a, 429, path);
		},
	);

	it("count where agents are called by A2A", async () => {
		const { a } = tenants;
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }] };
		const { id } = await getBody<{ id: string }>(a.send("POST", "/v1/agents", { json: { graph } }));
		await fill(a);
		await expectRefused(a, 429, `/a2a/${id}`);
	});

	it("of all workspaces are no more than the whole", async () => {
		const { a, b, c } = tenants;
		await Promise.all([fill(a), fill(b)]);
		await expectRefused(c, 503);
		expect((await c.send("GET", "/healthz")).status).toBe(200);
	});

	it("count no longer when their sender has left", async () => {
		const { a } = tenants;
		await fill(a);
		await expectRefused(a, 429);
		for (const upload of filling.values()) upload.abort();
		filling.clear();
		await expectRoom(a);
	});
});

describe("uploads on the disk", () => {
	it("are no more than the share of their workspace, before they are sent", async () => {
		const form = new FormData();
		form.append("file", new File([" ".repeat(2 * MEBIBYTE)], "a.md"));
		const { a } = tenants;
		const answer = await a.send("POST", `/v1/knowledge-bases/${a.base}/documents`, { body: form });
		expect(answer.status).toBe(429);
		expect(answer.headers.get("retry-after")).toBe("5");
		expect(answer.text).toContain("limits.spool_bytes");
	});
});

it("a body of very many values is refused before it is parsed", async () => {
	const messages = `{"model":"x","messages":[${"{},".repeat(250_000)}{}]}`;
	const answer = await tenants.a.send("POST", "/v1/chat/completions", {
		body: messages,
		headers: { "content-type": "application/json" },
	});
	expect(answer.status).toBe(400);
	expect(answer.text).toContain("50,000 items");
});
