import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestResponse } from "../test-support/send-request";
import { getBody, waitUntilIndexed } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "../test-support/test-deployment";

interface Tenant extends TestWorkspace {
	readonly name: string;
	readonly knowledgeBase: string;
}

const CONCURRENT_SEARCHES = 40;
/** Words that every passage of the flooding tenant has, so that each search scores all of them. */
const WORDS = Array.from({ length: 60 }, (_, index) => `harbour${index}`);

let deployment: TestDeployment;
let flood: Tenant;
let other: Tenant;

beforeAll(async () => {
	deployment = await openTestDeployment(built, { limits: { concurrent_searches: CONCURRENT_SEARCHES } });
	flood = await addTenant("flood", 500);
	other = await addTenant("other", 1);
	// The threads are started by the first who need them.
	await Promise.all([flood, flood, other, other].map((tenant) => search(tenant, [])));
});
afterAll(() => deployment?.close());

/** @param sections - the more, the longer a search takes. */
async function addTenant(name: string, sections: number): Promise<Tenant> {
	const workspace = await deployment.addWorkspace(name);
	const { id } = await getBody<{ id: string }>(
		workspace.send("POST", "/v1/knowledge-bases", { json: { name } }),
	);
	const text = Array.from({ length: sections }, (_, n) => `# Part ${n}\n\n${WORDS.join(" ")} ${name}.`).join(
		"\n\n",
	);
	await getBody(
		workspace.send("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text, source: name } }),
	);
	await waitUntilIndexed(workspace.send, id);
	return { ...workspace, name, knowledgeBase: id };
}

/** Sends a search that takes a while, and notes whose was answered when. */
function search({ send, knowledgeBase, name }: Tenant, answered: string[]): Promise<TestResponse> {
	const json = { query: WORDS.join(" "), knowledge_base_ids: [knowledgeBase], top_k: 100 };
	return send("POST", "/v1/search", { json }).finally(() => answered.push(name));
}

test("a tenant that floods the service with searches makes no other wait for them", async () => {
	const answered: string[] = [];
	const flooding = Array.from({ length: CONCURRENT_SEARCHES }, () => search(flood, answered));
	await Promise.race(flooding);
	const { status } = await search(other, answered);
	expect(status).toBe(200);
	// Those that were in flight already, on one thread or several, and what the order of answers leaves to chance.
	expect(answered.length).toBeLessThan(CONCURRENT_SEARCHES / 2);
	expect((await Promise.all(flooding)).map((answer) => answer.status)).not.toContain(429);
});

test("an answer takes turns in all that it reads", async () => {
	const answered: string[] = [];
	const flooding = Array.from({ length: CONCURRENT_SEARCHES }, () => search(flood, answered));
	await Promise.race(flooding);
	const { status } = await other.send("POST", "/v1/ask", {
		json: { question: WORDS.join(" "), knowledge_base_ids: [other.knowledgeBase] },
	});
	expect(status).toBe(200);
	expect(answered.length).toBeLessThan(CONCURRENT_SEARCHES);
	await Promise.all(flooding);
});

test("searches beyond the limit of the workspace are refused, and say when to come again", async () => {
	const answered: string[] = [];
	const answers = await Promise.all(
		Array.from({ length: 2 * CONCURRENT_SEARCHES }, () => search(flood, answered)),
	);
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused.length).toBeGreaterThan(0);
	expect(refused[0]?.headers.get("retry-after")).toBe("1");
	expect(refused[0]?.body).toMatchObject({ error: { code: "too_many_waiting" } });
	expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(CONCURRENT_SEARCHES);
});

test("a search whose client has gone leaves the queue", async () => {
	const leaving = new AbortController();
	const body = JSON.stringify({ query: WORDS.join(" "), knowledge_base_ids: [flood.knowledgeBase] });
	const headers = { authorization: `Bearer ${flood.token}`, "content-type": "application/json" };
	const left = Array.from({ length: CONCURRENT_SEARCHES }, () =>
		deployment.service.fetch(
			new Request("http://service.test/v1/search", { method: "POST", headers, body, signal: leaving.signal }),
		),
	);
	// The first is answered, so all that the limit lets in are there.
	await Promise.race(left);
	leaving.abort();
	const statuses = (await Promise.all(left)).map(({ status }) => status);
	expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(CONCURRENT_SEARCHES / 2);
	expect((await search(flood, [])).status).toBe(200);
});
