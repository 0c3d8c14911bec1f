import type { RunRecord, WireRunEvent } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type A2aFixture, startA2aFixture } from "../../a2a/test-support/a2a-fixture";
import { getBody } from "../../test-support/tenant";

let fixture: A2aFixture;
beforeAll(async () => {
	fixture = await startA2aFixture(built);
});
afterAll(() => fixture?.close());

const GRAPH = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "draft", kind: "agent", instructions: "Draft." },
	],
	edges: [{ from: "desk", to: "draft", mode: "before" }],
};

const readEvents = async (id: string): Promise<readonly WireRunEvent[]> =>
	(await getBody<{ data: WireRunEvent[] }>(fixture.send("GET", `/v1/runs/${id}/events?after=0`))).data;

it("a run goes on at its second model after kill -9 and a start", async () => {
	await getBody(fixture.send("POST", "/v1/agents", { json: { graph: GRAPH, slug: "drafts" } }));
	await fixture.stop();
	const kill = await fixture.startInProcess();
	const asked = fixture.vendor.requests.length;
	fixture.vendor.enqueue({ kind: "reply", text: "a draft" }, { kind: "silence" });
	const json = { input: "Hello?", background: true };
	const { id } = await getBody<{ id: string }>(fixture.send("POST", "/v1/agents/drafts/run", { json }));
	await expect.poll(() => fixture.vendor.requests.length, { interval: 10 }).toBe(asked + 2);
	const before = await readEvents(id);
	await kill();
	fixture.vendor.enqueue({ kind: "reply", text: "The answer." });
	await fixture.start();
	const read = () => getBody<RunRecord>(fixture.send("GET", `/v1/runs/${id}`));
	await expect.poll(read, { interval: 20, timeout: 20_000 }).toMatchObject({ status: "completed" });
	expect((await read()).result).toMatchObject({
		output: "The answer.",
		receipt: [{ node: "draft" }, { node: "desk", estimated: true }, { node: "desk" }],
	});
	expect(fixture.vendor.requests).toHaveLength(asked + 3);
	expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain("a draft");
	const events = await readEvents(id);
	expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
	expect(events.slice(0, before.length)).toEqual(before);
	expect(events.map(({ type }) => type)).toContain("run.resumed");
});
