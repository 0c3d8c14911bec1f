import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedClientKey, CreatedWorkspace, Workspace } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Service } from "../assemble-service";
import { createPeople, ORIGIN, PAGE_HEADERS, type TestPeople } from "../people/test-support/people-fixture";
import { expectApiError } from "../test-support/expect-error";
import { type SendRequest, sendTo } from "../test-support/send-request";
import { startSlowVendor } from "../test-support/slow-vendor";
import { getBody } from "../test-support/tenant";
import { createTestDatabase, isOnPostgres } from "../test-support/test-database";
import { fetchToken, openTestDeployment, type TestDeployment } from "../test-support/test-deployment";

/** Far longer than a notification takes, and less than until sessions are looked at without one. */
const NOTICED = { timeout: 15_000, interval: 20 };

async function readToEnd(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
	while ((await reader?.read())?.done === false);
}

describe.skipIf(!isOnPostgres())("two instances on one database", () => {
	let deployment: TestDeployment;
	let folder: string;
	let other: Service;
	let onFirst: SendRequest;
	let onOther: SendRequest;
	let people: TestPeople;
	let otherPeople: TestPeople;
	let vendor: Awaited<ReturnType<typeof startSlowVendor>>;

	beforeAll(async () => {
		vendor = await startSlowVendor();
		deployment = await openTestDeployment(built, {
			providers: { slow: { provider: "openai-compatible", base_url: vendor.url, default_model: "slow" } },
			chat: "slow",
		});
		folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
		other = await built.createService({ ...deployment.configuration, data: folder });
		const mine = await deployment.addWorkspace("mine");
		onFirst = mine.send;
		onOther = sendTo(other.fetch, mine.token);
		people = createPeople(deployment, mine);
		otherPeople = createPeople({ service: other }, mine);
	});
	afterAll(async () => {
		await other?.close(0);
		await deployment?.close();
		await vendor?.close();
		await rm(folder, { recursive: true, force: true });
	});

	/** Token of the operator's client of the first workspace. */
	async function getOperatorToken(): Promise<string> {
		const text = await readFile(deployment.service.bootstrapCredentials.path, "utf8");
		return fetchToken(sendTo(deployment.service.fetch), JSON.parse(text));
	}

	describe("a workspace", () => {
		it("that one creates is served by the other at once, with its new name, until it is deleted", async () => {
			const token = await getOperatorToken();
			const created = await getBody<CreatedWorkspace>(
				onFirst("POST", "/v1/workspaces", { token, json: { name: "Harbour" } }),
			);
			const own = await fetchToken(sendTo(other.fetch), created);
			const base = await getBody<{ id: string }>(
				onOther("POST", "/v1/knowledge-bases", { token: own, json: { name: "Books" } }),
			);
			await getBody(onFirst("GET", `/v1/knowledge-bases/${base.id}`, { token: own }));
			const path = `/v1/workspaces/${created.id}`;
			await getBody(onOther("PATCH", path, { token, json: { name: "Port" } }));
			expect(await getBody<Workspace>(onFirst("GET", path, { token }))).toMatchObject({ name: "Port" });
			await getBody(onOther("DELETE", path, { token }));
			for (const send of [onFirst, onOther]) {
				expect((await send("GET", `/v1/knowledge-bases/${base.id}`, { token: own })).status).toBe(401);
				expect((await send("GET", path, { token })).status).toBe(404);
			}
		});

		it("is not deleted by one while the other streams an answer in it, and ends on both then", async () => {
			const token = await getOperatorToken();
			const created = await getBody<CreatedWorkspace>(
				onFirst("POST", "/v1/workspaces", { token, json: { name: "Gone" } }),
			);
			const own = await fetchToken(sendTo(other.fetch), created);
			await getBody(onOther("POST", "/v1/knowledge-bases", { token: own, json: { name: "Books" } }));
			const streamed = other.fetch(
				new Request("http://service.test/v1/chat/completions", {
					method: "POST",
					headers: { authorization: `Bearer ${own}`, "content-type": "application/json" },
					body: JSON.stringify({
						model: "default",
						messages: [{ role: "user", content: "?" }],
						stream: true,
					}),
				}),
			);
			await vendor.requested();
			const remove = () => onFirst("DELETE", `/v1/workspaces/${created.id}`, { token });
			expectApiError(await remove(), 409, "runs_in_flight");
			vendor.finish(["In time."]);
			expect(await (await streamed).text()).toContain("[DONE]");
			await getBody(remove());
			expect((await onOther("GET", "/v1/knowledge-bases", { token: own })).status).toBe(401);
			const { data } = await getBody<{ data: readonly Workspace[] }>(
				onOther("GET", "/v1/workspaces?limit=100", { token }),
			);
			expect(data.map(({ id }) => id)).not.toContain(created.id);
		});
	});

	describe("a credential that one revokes is refused by the other at once:", () => {
		it("a client key", async () => {
			const key = await getBody<CreatedClientKey>(
				onFirst("POST", "/v1/client-keys", { json: { name: "app", native: true } }),
			);
			const ask = (send: SendRequest) =>
				send("POST", "/v1/search", { token: key.client_key, json: { query: "harbour" } });
			for (const send of [onFirst, onOther]) expect((await ask(send)).status).not.toBe(401);
			await onFirst("DELETE", `/v1/client-keys/${key.id}`);
			for (const send of [onOther, onFirst]) expect((await ask(send)).status).toBe(401);
		});

		it("an access token of a client that is deleted", async () => {
			const client = await getBody<{ id: string; client_secret: string }>(
				onFirst("POST", "/v1/clients", { json: { name: "server" } }),
			);
			const token = await fetchToken(sendTo(other.fetch), {
				client_id: client.id,
				client_secret: client.client_secret,
			});
			for (const send of [onFirst, onOther])
				expect((await send("GET", "/v1/knowledge-bases", { token })).status).toBe(200);
			await onFirst("DELETE", `/v1/clients/${client.id}`);
			for (const send of [onOther, onFirst])
				expect((await send("GET", "/v1/knowledge-bases", { token })).status).toBe(401);
		});

		it("a session, whose open streams end without waiting for the next look", async () => {
			const link = await people.invite("ada@example.com", "editor");
			const ada = otherPeople.toUser(await otherPeople.signIn(link));
			expect((await people.signIn(link)).status).not.toBe(201);
			const cookie = { cookie: ada.cookie, ...PAGE_HEADERS };
			const get = (send: SendRequest) => send("GET", "/v1/session", { headers: cookie, token: null });
			expect((await get(people.send)).status).toBe(200);
			const { id } = await getBody<{ id: string }>(
				onFirst("POST", "/v1/agents", { json: { graph: { nodes: [{ id: "desk", kind: "coordinator" }] } } }),
			);
			const response = await other.fetch(
				new Request(`${ORIGIN}/v1/agents/${id}/run`, {
					method: "POST",
					headers: { ...cookie, "content-type": "application/json" },
					body: JSON.stringify({ input: "Hello?", stream: true }),
				}),
			);
			const reader = response.body?.getReader();
			expect([response.status, (await reader?.read())?.done]).toEqual([200, false]);
			let end: unknown;
			const ended = readToEnd(reader).catch((error: unknown) => {
				end = error;
			});
			await getBody(people.send("DELETE", "/v1/session", { headers: cookie, token: null }));
			await expect.poll(() => end, NOTICED).toEqual(new Error("The session has ended."));
			await ended;
			for (const send of [otherPeople.send, people.send]) expect((await get(send)).status).toBe(401);
		});
	});

	it("see settings, agents and knowledge bases as they are, whichever has changed them", async () => {
		const settings = { provider: "openai-compatible", base_url: vendor.url, api_key: "sk-1" };
		const path = "/v1/workspace/llm-settings";
		for (const [model, writer, reader] of [
			["one", onFirst, onOther],
			["two", onOther, onFirst],
		] as const) {
			await getBody(writer("PUT", path, { json: { ...settings, model } }));
			expect(await getBody(reader("GET", path))).toMatchObject({ model });
		}
		await getBody(onFirst("DELETE", path));
		expect(await getBody(onOther("GET", path))).not.toMatchObject({ model: "two" });
		const base = await getBody<{ id: string }>(
			onFirst("POST", "/v1/knowledge-bases", { json: { name: "Before" } }),
		);
		const basePath = `/v1/knowledge-bases/${base.id}`;
		await getBody(onOther("PATCH", basePath, { json: { name: "After" } }));
		expect(await getBody(onFirst("GET", basePath))).toMatchObject({ name: "After" });
		await getBody(onFirst("DELETE", basePath));
		expect((await onOther("GET", basePath)).status).toBe(404);
	});

	it("create one first workspace, whichever starts first", async () => {
		const { content, drop } = await createTestDatabase();
		const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), "stemma-service-"))));
		const services = await Promise.all(
			folders.map((data) =>
				built.createService(built.resolveConfiguration({ content: { ...content, data } })),
			),
		);
		const created = services.filter(({ bootstrapCredentials }) => bootstrapCredentials.isNew);
		expect(created).toHaveLength(1);
		const credentials = JSON.parse(await readFile(created[0]?.bootstrapCredentials.path ?? "", "utf8"));
		for (const { fetch } of services) {
			const token = await fetchToken(sendTo(fetch), credentials);
			const { data } = await getBody<{ data: readonly Workspace[] }>(
				sendTo(fetch, token)("GET", "/v1/workspaces"),
			);
			expect(data).toMatchObject([{ id: credentials.workspace_id, name: "default", status: "available" }]);
		}
		await Promise.all(services.map((service) => service.close(0)));
		await drop();
		await Promise.all(folders.map((each) => rm(each, { recursive: true })));
	});

	it("do a request with an idempotency key once", async () => {
		const request = { json: { name: "Once" }, headers: { "idempotency-key": "once" } };
		const answers = await Promise.all(
			[onFirst, onOther, onFirst, onOther].map((send) => send("POST", "/v1/knowledge-bases", request)),
		);
		const ids = answers.filter(({ status }) => status < 300).map(({ body }) => (body as { id: string }).id);
		expect(new Set(ids).size).toBe(1);
		expect(answers.map(({ status }) => status).filter((status) => status >= 300 && status !== 409)).toEqual(
			[],
		);
	});
});
