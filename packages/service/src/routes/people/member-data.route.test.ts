import { DatabaseSync } from "node:sqlite";
import type { MemberData, Page, RunResult, Thread, Usage } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../../authorizations/test-support/app-fixture";
import { createPeople, type TestPeople, type TestUser } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { findStoredText } from "../../test-support/read-stored";
import { getBody, SHARED_WORD } from "../../test-support/tenant";
import { isOnPostgres } from "../../test-support/test-database";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

const QUESTION = `When does the ${SHARED_WORD} open?`;

let fixture: ThreadFixture;
let people: TestPeople;
let ada: TestUser;
let bob: TestUser;
let admin: TestUser;
let thread: Thread;
let run: RunResult;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
	people = createPeople(fixture.deployment, fixture.mine);
	ada = await people.addUser("ada@example.com");
	bob = await people.addUser("bob@example.com");
	admin = await people.addUser("admin@example.com", "admin");
	fixture.reply("At nine.", "Yes.");
	const path = `/v1/agents/${fixture.agent}/run`;
	thread = await getBody(ada.send("POST", "/v1/threads", { json: { title: "Hours" } }));
	await getBody(
		ada.send("POST", path, { json: { input: "When is the office open?", thread_id: thread.id } }),
	);
	run = await getBody(ada.send("POST", path, { json: { input: "My name is Ada." } }));
	await getBody(ada.send("POST", `/v1/runs/${run.run_id}/feedback`, { json: { rating: "up" } }));
	fixture.reply("At nine [1].");
	await getBody(ada.send("POST", "/v1/ask", { json: { question: QUESTION, store: true } }));
	await (await createApp(people.send)).connect(ada);
});
afterAll(() => fixture?.close());

const idOf = ({ session }: TestUser): string => session.user.id;
const pathOf = (user: TestUser): string => `/v1/members/${idOf(user)}`;

it("is exported for the person and for admins, and for nobody else", async () => {
	for (const user of [ada, admin, fixture.mine]) {
		const { status, text, headers } = await user.send("GET", `${pathOf(ada)}/export`);
		expect([status, headers.get("content-type")]).toEqual([200, "application/jsonl; charset=utf-8"]);
		const data = text
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as MemberData);
		const types = data.map(({ type }) => type);
		expect(types).toEqual([
			"profile",
			"session",
			"authorization",
			"thread",
			"run",
			"run",
			"answer",
			"feedback",
		]);
		expect(data[0]).toMatchObject({ id: idOf(ada), email: "ada@example.com", role: "viewer" });
		expect(data[3]).toMatchObject({
			thread: { id: thread.id },
			messages: [{ text: "When is the office open?" }, {}],
		});
		expect(data[4]).toMatchObject({ id: run.run_id, input: "My name is Ada." });
		expect(data[6]).toMatchObject({ question: QUESTION, answer: expect.any(String) });
		expect(text).not.toMatch(/run_token|token_hash|secret|\b(?:st|oat|ort)_/);
	}
	expectApiError(await bob.send("GET", `${pathOf(ada)}/export`), 404, "member_not_found");
	expectApiError(await fixture.theirs.send("GET", `${pathOf(ada)}/export`), 404, "member_not_found");
	const { data } = await getBody<Page<object>>(admin.send("GET", "/v1/audit?action=member.exported"));
	expect(data[0]).toMatchObject({ target: idOf(ada) });
});

it("is not deleted with the last admin, nor by who may not manage members", async () => {
	expectApiError(await admin.send("DELETE", `${pathOf(admin)}/data`), 409, "last_admin");
	expectApiError(await ada.send("DELETE", `${pathOf(ada)}/data`), 403, "missing_scope");
	expectApiError(await fixture.theirs.send("DELETE", `${pathOf(ada)}/data`), 404, "member_not_found");
	expect((await ada.send("GET", "/v1/session")).status).toBe(200);
});

it("is deleted: what is left has an id that nothing leads to a person", async () => {
	await expect
		.poll(async () => {
			const path = `/v1/usage?user_id=${idOf(ada)}`;
			return (await getBody<Usage>(admin.send("GET", path))).data[0]?.calls;
		})
		.toBe(3);
	// What others say of an answer holds its question, too.
	const ofAdmin = { json: { rating: "down" } };
	await getBody(admin.send("POST", `/v1/runs/${run.run_id}/feedback`, ofAdmin));
	await getBody(admin.send("DELETE", `${pathOf(ada)}/data`));
	expectApiError(await ada.send("GET", "/v1/session"), 401, "invalid_credentials");
	expectApiError(await admin.send("GET", `/v1/runs/${run.run_id}`), 404, "run_not_found");
	expectApiError(await fixture.mine.send("GET", `/v1/threads/${thread.id}`), 404, "thread_not_found");
	expect((await admin.send("GET", "/v1/feedback")).text).not.toContain(run.run_id);
	expect((await admin.send("GET", "/v1/members?status=removed")).text).not.toContain(idOf(ada));
	expectApiError(await admin.send("DELETE", `${pathOf(ada)}/data`), 404, "member_not_found");
	const usage = await getBody<Usage>(admin.send("GET", `/v1/usage?user_id=${idOf(ada)}`));
	expect(usage.data[0]?.calls).toBe(3);
	const audit = await getBody<Page<{ actor: string; target: string }>>(
		admin.send("GET", "/v1/audit?limit=100"),
	);
	expect(audit.data.some(({ target }) => target === idOf(ada))).toBe(true);
	if (!isOnPostgres())
		expect(findText(`${fixture.deployment.folder}/deployment.sqlite`, "ada@example.com")).toEqual([]);
	for (const words of ["My name is Ada.", "When is the office open?"])
		expect(await findInWorkspace(words), words).toEqual([]);
	expect(idOf(await people.addUser("ada@example.com"))).not.toBe(idOf(ada));
});

it("has nothing of an answer that was under way", async () => {
	const user = await people.addUser("late@example.com");
	const held = Promise.withResolvers<void>();
	const requestCount = fixture.vendor.requests.length;
	fixture.vendor.enqueue({ kind: "reply", text: "At nine [1].", held: held.promise });
	const answer = user.send("POST", "/v1/ask", {
		json: { question: QUESTION, store: true, knowledge_base_ids: [fixture.mine.knowledgeBase] },
		headers: { "idempotency-key": "late-answer" },
	});
	await expect.poll(() => fixture.vendor.requests.length).toBeGreaterThan(requestCount);
	await getBody(admin.send("DELETE", `${pathOf(user)}/data`));
	held.resolve();
	await answer;
	expect(await findInWorkspace("late-answer")).toEqual([]);
	expect(await findInWorkspace(idOf(user))).not.toContain("answers");
});

it("takes the responses along that are kept for repeated requests", async () => {
	const user = await people.addUser("repeats@example.com");
	const json = { title: "Kept for a repetition" };
	await getBody(user.send("POST", "/v1/threads", { json, headers: { "idempotency-key": "kept-thread" } }));
	fixture.reply("Yes.");
	const request = { json: { input: "Again?" }, headers: { "idempotency-key": "kept-run" } };
	await getBody(user.send("POST", `/v1/agents/${fixture.agent}/run`, request));
	await getBody(admin.send("DELETE", `${pathOf(user)}/data`));
	for (const key of ["kept-thread", "kept-run"]) expect(await findInWorkspace(key), key).toEqual([]);
});

/** Lists the tables of the workspace that have a text. */
const findInWorkspace = (words: string): Promise<readonly string[]> =>
	findStoredText(fixture.deployment.configuration, fixture.mine.credentials.workspace_id, words);

/** Lists the tables of a file that have a text. */
function findText(file: string, words: string): readonly string[] {
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	try {
		const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
		return tables
			.map(({ name }) => String(name))
			.filter((name) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()).includes(words));
	} finally {
		database.close();
	}
}
