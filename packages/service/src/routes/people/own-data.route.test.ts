import { setTimeout as wait } from "node:timers/promises";
import type { CreatedThread, Page, RunRecord, RunResult, Thread, ThreadMessageList } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	createPeople,
	ORIGIN,
	PAGE_HEADERS,
	type TestPeople,
	type TestUser,
} from "../../people/test-support/people-fixture";
import { isAboutOneInstance } from "../../test-support/alternating-service";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
let people: TestPeople;
let ada: TestUser;
let bob: TestUser;
let editor: TestUser;
let admin: TestUser;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
	people = createPeople(fixture.deployment, fixture.mine);
	ada = await people.addUser("ada@example.com");
	bob = await people.addUser("bob@example.com");
	editor = await people.addUser("editor@example.com", "editor");
	admin = await people.addUser("admin@example.com", "admin");
});
afterAll(() => fixture?.close());

const run = (user: TestUser, json: object) =>
	getBody<RunResult>(user.send("POST", `/v1/agents/${fixture.agent}/run`, { json }));
const idsOf = async (user: TestUser, path: string) =>
	(await getBody<Page<Thread | RunRecord>>(user.send("GET", path))).data.map(({ id }) => id);

describe("threads", () => {
	it("belong to the person who started them, and are seen by clients of the workspace", async () => {
		const thread = await getBody<CreatedThread>(ada.send("POST", "/v1/threads", { json: { title: "Mine" } }));
		expect(thread).toMatchObject({ owner: { kind: "user", id: ada.session.user.id } });
		expect(thread).not.toHaveProperty("token");
		fixture.reply("At nine.");
		await run(ada, { input: "When?", thread_id: thread.id });
		const path = `/v1/threads/${thread.id}`;
		const { messages } = await getBody<ThreadMessageList>(ada.send("GET", `${path}/messages`));
		expect(messages.map(({ text }) => text)).toEqual(["When?", "At nine."]);
		for (const other of [bob, admin]) {
			expectApiError(await other.send("GET", path), 404, "thread_not_found");
			expectApiError(await other.send("GET", `${path}/messages`), 404, "thread_not_found");
			expectApiError(await other.send("GET", `${path}/export`), 404, "thread_not_found");
			expectApiError(await other.send("PATCH", path, { json: { title: "x" } }), 404, "thread_not_found");
			expectApiError(await other.send("DELETE", path), 404, "thread_not_found");
			expectApiError(
				await other.send("POST", `/v1/agents/${fixture.agent}/run`, {
					json: { input: "?", thread_id: thread.id },
				}),
				404,
				"thread_not_found",
			);
			expect(await idsOf(other, "/v1/threads")).toEqual([]);
			expect(await idsOf(other, `/v1/threads?owner=${ada.session.user.id}`)).toEqual([]);
		}
		expect(await idsOf(ada, "/v1/threads")).toEqual([thread.id]);
		expect((await fixture.get(thread.id)).id).toBe(thread.id);
		expect((await ada.send("DELETE", path)).status).toBe(200);
	});
});

describe("runs", () => {
	it("are seen by those who started them, and by those who decide approvals", async () => {
		fixture.reply("Yes.");
		const { run_id } = await run(ada, { input: "Open?" });
		const path = `/v1/runs/${run_id}`;
		expect(await getBody(ada.send("GET", path))).toMatchObject({ id: run_id, input: "Open?" });
		for (const rest of ["", "/events"])
			expectApiError(await bob.send("GET", `${path}${rest}`), 404, "run_not_found");
		expectApiError(await bob.send("POST", `${path}/cancel`), 404, "run_not_found");
		expect(await idsOf(bob, "/v1/runs")).toEqual([]);
		expect(await idsOf(ada, "/v1/runs")).toContain(run_id);
		for (const user of [editor, admin]) {
			expect((await user.send("GET", path)).status).toBe(200);
			expect(await idsOf(user, "/v1/runs?limit=100")).toContain(run_id);
		}
	});

	it("take the context of a person as data, and that of a client as part of the instructions", async () => {
		const nodes = [{ id: "desk", kind: "coordinator", instructions: "Help {{context.customer}}." }];
		const json = { graph: { nodes, edges: [] }, slug: "template-desk" };
		await getBody(fixture.mine.send("POST", "/v1/agents", { json }));
		const readInstructions = async ({ send }: Pick<TestUser, "send">) => {
			fixture.reply("Yes.");
			const input = { input: "Open?", context: { customer: "Ada" } };
			await getBody(send("POST", "/v1/agents/template-desk/run", { json: input }));
			const { body } = fixture.vendor.requests.at(-1) ?? expect.unreachable();
			return (body as { messages: { content: string }[] }).messages[0]?.content;
		};
		expect(await readInstructions(fixture.mine)).toContain('Help "Ada".');
		expect(await readInstructions(admin)).not.toContain("Ada");
	});
});

/** Stream of a run whose model does not answer yet, as the page of a person has it. */
async function openStream(user: TestUser) {
	const held = Promise.withResolvers<void>();
	fixture.reply({ text: "Late.", held: held.promise });
	const response = await fixture.deployment.service.fetch(
		new Request(`${ORIGIN}/v1/agents/${fixture.agent}/run`, {
			method: "POST",
			headers: { cookie: user.cookie, ...PAGE_HEADERS, "content-type": "application/json" },
			body: JSON.stringify({ input: "?", stream: true }),
		}),
	);
	expect(response.status).toBe(200);
	const reader = response.body?.getReader();
	if (reader === undefined) return expect.unreachable();
	await reader.read();
	async function readToEnd(): Promise<string> {
		try {
			while (!(await reader?.read())?.done);
			return "ended";
		} catch {
			return "broken off";
		}
	}
	return { end: readToEnd(), release: held.resolve };
}

describe("an open stream", () => {
	it.each([
		["removed", (user: TestUser) => admin.send("DELETE", `/v1/members/${user.session.user.id}`)],
		["signed out", (user: TestUser) => user.send("DELETE", "/v1/session")],
		["signed out everywhere", (user: TestUser) => user.send("DELETE", "/v1/sessions")],
		["signed out by an admin", (user: TestUser) => admin.send("DELETE", `/v1/sessions/${user.session.id}`)],
	] as const)("ends once its person is %s", async (name, end) => {
		const user = await people.addUser(`${name.replaceAll(" ", ".")}@example.com`);
		const stays = await openStream(bob);
		const { end: ended, release } = await openStream(user);
		expect((await end(user)).status).toBe(200);
		expect(await ended).toBe("broken off");
		// That of another person goes on to its end.
		expect(await Promise.race([stays.end, wait(50, "open")])).toBe("open");
		stays.release();
		release();
		expect(await stays.end).toBe("ended");
	});
});

describe("an export", () => {
	it.skipIf(isAboutOneInstance("others know of the end of a session after a moment"))(
		"ends once its person is signed out",
		async () => {
			const user = await people.addUser("exports@example.com", "editor");
			const response = await fixture.deployment.service.fetch(
				new Request(`${ORIGIN}/v1/feedback/export`, { headers: { cookie: user.cookie } }),
			);
			expect(response.status).toBe(200);
			expect((await user.send("DELETE", "/v1/session")).status).toBe(200);
			await expect(response.text()).rejects.toThrow("The session has ended.");
		},
	);
});

/** Sends a request of a person whose body comes once `release` is called. */
function sendHeld({ cookie }: TestUser, path: string, text: string, type = "application/json") {
	const asked = Promise.withResolvers<void>();
	const held = Promise.withResolvers<void>();
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				asked.resolve();
				await held.promise;
				controller.enqueue(new TextEncoder().encode(text));
				controller.close();
			},
		},
		{ highWaterMark: 0 },
	);
	// Node asks for `duplex` with a stream; the type does not know it.
	const headers = { cookie, ...PAGE_HEADERS, "content-type": type };
	const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
	const answer = Promise.resolve(fixture.deployment.service.fetch(new Request(`${ORIGIN}${path}`, init)));
	return { isRead: asked.promise, release: held.resolve, answer };
}

describe("a request whose body is held back", () => {
	it.each([
		["removed", 401, "invalid_credentials", (path: string) => admin.send("DELETE", path)],
		[
			"demoted",
			403,
			"role_changed",
			(path: string) => admin.send("PATCH", path, { json: { role: "viewer" } }),
		],
	] as const)("does nothing once its person is %s", async (name, status, code, change) => {
		const user = await people.addUser(`held.${name}@example.com`, "admin");
		const created = fixture.mine.send("POST", "/v1/knowledge-bases", { json: { name: `Held ${name}` } });
		const documents = `/v1/knowledge-bases/${(await getBody<{ id: string }>(created)).id}/documents`;
		const invitation = JSON.stringify({ email: `friend.${name}@example.com`, role: "admin" });
		const form = [
			"--b",
			'content-disposition: form-data; name="file"; filename="a.txt"',
			"",
			"Held.",
			"--b--",
			"",
		].join("\r\n");
		const requests = [
			sendHeld(user, "/v1/invitations", invitation),
			sendHeld(user, documents, JSON.stringify({ title: "Held", text: "Held." })),
			sendHeld(user, documents, form, "multipart/form-data; boundary=b"),
		];
		await Promise.all(requests.map(({ isRead }) => isRead));
		expect((await change(`/v1/members/${user.session.user.id}`)).status).toBe(200);
		for (const { release } of requests) release();
		for (const { answer } of requests) {
			const response = await answer;
			expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
		}
	});
});
