import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type A2aFixture, startA2aFixture } from "../a2a/test-support/a2a-fixture";
import { sendTo } from "../test-support/send-request";
import { getBody } from "../test-support/tenant";
import { fetchToken } from "../test-support/test-deployment";
import { toGraphAsking, toGraphWith } from "./test-support/graph-fixture";

let fixture: A2aFixture;
beforeAll(async () => {
	fixture = await startA2aFixture(built);
});
afterAll(() => fixture?.close());

interface Listed {
	readonly data: readonly { readonly id: string; readonly agent_slug: string; readonly status: string }[];
}

const readRuns = () => getBody<Listed>(fixture.send("GET", "/v1/runs"));

it("a kill in the middle ends the inner run as interrupted, and the outer one does not repeat its call", async () => {
	const graph = toGraphAsking("desk");
	await getBody(fixture.send("POST", "/v1/agents", { json: { graph, slug: "outer" } }));
	await fixture.stop();
	const kill = await fixture.startInProcess();
	fixture.vendor.enqueue({ kind: "silence" });
	const json = { input: "Hello?", background: true };
	await getBody(fixture.send("POST", "/v1/agents/outer/run", { json }));
	await expect.poll(() => fixture.vendor.requests.at(-1)?.body, { interval: 10 }).toBeDefined();
	expect((await readRuns()).data.map(({ status }) => status)).toEqual(["running", "running"]);
	await kill();
	await fixture.start();
	await expect
		.poll(async () => (await readRuns()).data.map(({ status }) => status))
		.toEqual(["failed", "failed"]);
	const { data } = await readRuns();
	expect(data.map(({ agent_slug, status }) => [agent_slug, status])).toEqual([
		["desk", "failed"],
		["outer", "failed"],
	]);
	for (const [index, code] of ["interrupted", "outcome_unknown"].entries())
		expect((await fixture.send("GET", `/v1/runs/${data[index]?.id}`)).body).toMatchObject({
			result: { status: "failed", error: { code } },
		});
});

it("agents that lead to themselves by their addresses end, too", async () => {
	const url = `${fixture.url()}/a2a/circle`;
	const secret = { server_url: url, value: fixture.token };
	await getBody(fixture.send("PUT", "/v1/workspace/secrets/self", { json: secret }));
	const graph = toGraphWith({ id: "self", kind: "remote", url, auth: { secret: "self" } });
	await getBody(fixture.send("POST", "/v1/agents", { json: { graph, slug: "circle" } }));
	const answer = await fixture.send("POST", "/v1/agents/circle/run", { json: { input: "Hello?" } });
	expect(answer.body).toMatchObject({ status: "failed" });
	expect(answer.text).toContain("more than 8 services and runtimes");
	const runs = (await readRuns()).data.filter(({ agent_slug }) => agent_slug === "circle");
	expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => "failed"));
});

it("what the operator has closed since a graph was saved is not called, and only some are told how it is opened", async () => {
	await fixture.restart({ outbound: { allow: ["private"] } });
	const node = { id: "look", kind: "tool", tool: "look", server: "http://10.1.2.3/mcp" };
	await getBody(fixture.send("POST", "/v1/agents", { json: { graph: toGraphWith(node), slug: "closed" } }));
	await fixture.restart({});
	const json = { name: "runner", scopes: ["agents:run", "agents:trace"] };
	const made = getBody<{ id: string; client_secret: string }>(fixture.send("POST", "/v1/clients", { json }));
	const { id: client_id, client_secret } = await made;
	const runner = await fetchToken(sendTo(fetch, undefined, fixture.url()), { client_id, client_secret });
	for (const [token, isReported] of [
		[fixture.token, true],
		[runner, false],
	] as const) {
		const request = { token, json: { input: {} } };
		const { body, text } = await fixture.send("POST", "/v1/agents/closed/run", request);
		expect(body).toMatchObject({ status: "failed", error: { code: "blocked_address" } });
		expect(/outbound\.allow|10\.1\.2\.3/.test(text)).toBe(isReported);
	}
});
