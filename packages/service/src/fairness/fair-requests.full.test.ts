import { setTimeout } from "node:timers/promises";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendMcp } from "../mcp/test-support/mcp-requests";
import { getBody } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "../test-support/test-deployment";

/** Many more than one owner alone may start in a turn of the main thread. */
const CONCURRENT_REQUESTS = 200;

let deployment: TestDeployment;
let flood: TestWorkspace;
let other: TestWorkspace;

beforeAll(async () => {
	deployment = await openTestDeployment(built, { limits: { concurrent_requests: CONCURRENT_REQUESTS } });
	flood = await deployment.addWorkspace("flood");
	other = await deployment.addWorkspace("other");
	// Who was active within the last second shares the main thread's time already.
	await setTimeout(1_100);
});
afterAll(() => deployment?.close());

/** A stream that stays open as long as its client wants. */
const LISTEN = {
	era: "2026-07-28",
	method: "subscriptions/listen",
	params: { notifications: { toolsListChanged: true } },
} as const;

const list = ({ send }: TestWorkspace) => send("GET", "/v1/knowledge-bases");

test("a burst of one tenant's requests does not go before another's", async () => {
	const answered: string[] = [];
	const burst = Array.from({ length: CONCURRENT_REQUESTS }, () =>
		list(flood).then((answer) => {
			answered.push("flood");
			return answer.status;
		}),
	);
	expect((await list(other)).status).toBe(200);
	expect(answered.length).toBeLessThan(CONCURRENT_REQUESTS / 2);
	expect(await Promise.all(burst)).toEqual(burst.map(() => 200));
});

test("requests beyond the limit of a workspace are refused, and those of others are not", async () => {
	const burst = Array.from({ length: 3 * CONCURRENT_REQUESTS }, () => list(flood));
	const others = Array.from({ length: CONCURRENT_REQUESTS / 2 }, () => list(other));
	for (const { status } of await Promise.all(others)) expect(status).toBe(200);
	const refused = (await Promise.all(burst)).filter(({ status }) => status !== 200);
	expect(refused.length).toBeGreaterThan(0);
	for (const { status, headers, body } of refused) {
		expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
		expect(body).toMatchObject({ error: { code: "too_many_requests" } });
	}
	expect((await list(flood)).status).toBe(200);
});

test("a stream counts until its end, and no client key holds all of them", async () => {
	const { client_key } = await getBody<{ client_key: string }>(
		flood.send("POST", "/v1/client-keys", {
			json: { name: "page", native: true, requests_per_minute: 10_000 },
		}),
	);
	const leaving = new AbortController();
	async function subscribe(): Promise<Response> {
		let answer = new Response();
		await sendMcp(
			"http://service.test",
			client_key,
			{ ...LISTEN, signal: leaving.signal },
			async (request) => {
				answer = await deployment.service.fetch(request);
				// The stream itself stays open.
				return Response.json({});
			},
		);
		return answer;
	}
	const streams: Response[] = [];
	for (let count = 0; count < CONCURRENT_REQUESTS / 2; count++) streams.push(await subscribe());
	expect(streams.map(({ headers }) => headers.get("content-type"))).toEqual(
		streams.map(() => "text/event-stream"),
	);
	expect((await subscribe()).status).toBe(429);
	expect((await list(flood)).status).toBe(200);
	leaving.abort();
	await expect
		.poll(async () => (await flood.send("POST", "/v1/search", { token: client_key, json: {} })).status)
		.toBe(400);
});
