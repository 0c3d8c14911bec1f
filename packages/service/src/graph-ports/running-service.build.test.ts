import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type A2aStage, openA2aStage } from "../a2a/test-support/a2a-stage";
import { sendTo } from "../test-support/send-request";
import { demand } from "../test-support/tenant";
import { fetchToken } from "../test-support/test-deployment";
import { deskAsking, deskWith } from "./test-support/graph-stage";

let stage: A2aStage;
beforeAll(async () => {
	stage = await openA2aStage(built);
});
afterAll(() => stage?.close());

interface Listed {
	readonly data: readonly { readonly id: string; readonly agent_slug: string; readonly status: string }[];
}

const readRuns = () => demand<Listed>(stage.send("GET", "/v1/runs"));

it("a kill in the middle leaves the outer and the inner run failed, as interrupted", async () => {
	const graph = deskAsking("desk");
	await demand(stage.send("POST", "/v1/agents", { json: { graph, slug: "outer" } }));
	await stage.stop();
	const kill = await stage.startElsewhere();
	stage.vendor.enqueue({ kind: "silence" });
	const json = { input: "Hello?", background: true };
	await demand(stage.send("POST", "/v1/agents/outer/run", { json }));
	await expect.poll(() => stage.vendor.requests.at(-1)?.body, { interval: 10 }).toBeDefined();
	expect((await readRuns()).data.map(({ status }) => status)).toEqual(["running", "running"]);
	await kill();
	await stage.start();
	const { data } = await readRuns();
	expect(data.map(({ agent_slug, status }) => [agent_slug, status])).toEqual([
		["desk", "failed"],
		["outer", "failed"],
	]);
	for (const { id } of data)
		expect((await stage.send("GET", `/v1/runs/${id}`)).body).toMatchObject({
			result: { status: "failed", error: { code: "interrupted" } },
		});
});

it("agents that lead to themselves by their addresses end, too", async () => {
	const url = `${stage.url()}/a2a/circle`;
	const secret = { server_url: url, value: stage.token };
	await demand(stage.send("PUT", "/v1/workspace/secrets/self", { json: secret }));
	const graph = deskWith({ id: "self", kind: "remote", url, auth: { secret: "self" } });
	await demand(stage.send("POST", "/v1/agents", { json: { graph, slug: "circle" } }));
	const answer = await stage.send("POST", "/v1/agents/circle/run", { json: { input: "Hello?" } });
	expect(answer.body).toMatchObject({ status: "failed" });
	expect(answer.text).toContain("more than 8 agents");
	const runs = (await readRuns()).data.filter(({ agent_slug }) => agent_slug === "circle");
	expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => "failed"));
});

it("what the operator has closed since a graph was saved is not called, and only some are told how it is opened", async () => {
	await stage.restart({ outbound: { allow: ["private"] } });
	const node = { id: "look", kind: "tool", tool: "look", server: "http://10.1.2.3/mcp" };
	await demand(stage.send("POST", "/v1/agents", { json: { graph: deskWith(node), slug: "closed" } }));
	await stage.restart({});
	const json = { name: "runner", scopes: ["agents:run", "agents:trace"] };
	const made = demand<{ id: string; client_secret: string }>(stage.send("POST", "/v1/clients", { json }));
	const { id: client_id, client_secret } = await made;
	const runner = await fetchToken(sendTo(fetch, undefined, stage.url()), { client_id, client_secret });
	for (const [token, isTold] of [
		[stage.token, true],
		[runner, false],
	] as const) {
		const request = { token, json: { input: {} } };
		const { body, text } = await stage.send("POST", "/v1/agents/closed/run", request);
		expect(body).toMatchObject({ status: "failed", error: { code: "blocked_address" } });
		expect(/outbound\.allow|10\.1\.2\.3/.test(text)).toBe(isTold);
	}
});
