import type { Page, RunRecord, RunResult, Usage } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPeople, type TestPeople, type TestUser } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import type { SendRequest } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
let people: TestPeople;
let ada: TestUser;
let bob: TestUser;
let admin: TestUser;
let runId: string;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
	people = createPeople(fixture.deployment, fixture.mine);
	ada = await people.addUser("ada@example.com");
	bob = await people.addUser("bob@example.com");
	admin = await people.addUser("admin@example.com", "admin");
	fixture.reply("Yes.", "No.", "Maybe.");
	const path = `/v1/agents/${fixture.agent}/run`;
	runId = (await getBody<RunResult>(ada.send("POST", path, { json: { input: "Open?" } }))).run_id;
	await getBody(bob.send("POST", path, { json: { input: "Closed?" } }));
	await getBody(fixture.mine.send("POST", path, { json: { input: "Both?" } }));
});
afterAll(() => fixture?.close());

const readUsage = async (query: string) =>
	(await getBody<Usage>(admin.send("GET", `/v1/usage${query}`))).data;
const listRuns = async ({ send }: { readonly send: SendRequest }, query = "") =>
	(await getBody<Page<RunRecord>>(send("GET", `/v1/runs${query}`))).data;

it("marks runs with the person that started them, and those of clients with nobody", async () => {
	const record = await getBody<RunRecord>(ada.send("GET", `/v1/runs/${runId}`));
	expect(record.user_id).toBe(ada.session.user.id);
	const users = (await listRuns(fixture.mine)).map(({ user_id }) => user_id);
	expect(users.slice(0, 3)).toEqual([undefined, bob.session.user.id, ada.session.user.id]);
});

it("filters runs by person, and shows nobody runs that they cannot see", async () => {
	const query = `?user_id=${ada.session.user.id}`;
	expect((await listRuns(admin, query)).map(({ id }) => id)).toEqual([runId]);
	expect((await listRuns(ada, query)).map(({ id }) => id)).toEqual([runId]);
	expect(await listRuns(bob, query)).toEqual([]);
	expectApiError(await admin.send("GET", "/v1/runs?user_id=cl_1"), 400, "invalid_request");
});

it("sums receipts by person", async () => {
	const readCalls = async () => {
		const rows = await readUsage("?stage=answer&group_by=user");
		return new Map(rows.map((row) => [row.user_id, row.calls]));
	};
	await expect.poll(async () => (await readCalls()).get(bob.session.user.id)).toBe(1);
	const calls = await readCalls();
	const all = (await readUsage("?stage=answer")).map((row) => row.calls);
	expect([...calls.values()].reduce((sum, count) => sum + count)).toBe(all[0]);
	expect(calls.get(ada.session.user.id)).toBe(1);
	expect(calls.get(null)).toBeGreaterThan(0);
	const [own, ...others] = await readUsage(`?stage=answer&user_id=${ada.session.user.id}`);
	expect(own).toMatchObject({ calls: 1 });
	expect(own).not.toHaveProperty("user_id");
	expect(others).toEqual([]);
	expectApiError(await admin.send("GET", "/v1/usage?group_by=model"), 400, "invalid_request");
	expectApiError(await ada.send("GET", "/v1/usage?group_by=user"), 403, "missing_scope");
});
