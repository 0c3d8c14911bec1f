import { completed, started } from "@stemma/simulators/run-events";
import { describe, expect, it } from "vitest";
import { RETURN_IMMEDIATELY, toMessage } from "../../test-support/a2a-calls";
import {
	createGate,
	createTestRuntime,
	followEvents,
	graph,
	STREAMED,
	scriptedPorts,
	scriptedRemote,
} from "../../test-support/scripted";

const message = (text: string) => ({
	jsonrpc: "2.0",
	id: 1,
	method: "SendMessage",
	params: toMessage(text, RETURN_IMMEDIATELY),
});
const BY_A2A = { "a2a-version": "1.0" };

/** Two runs at most; each ends when it is told to. */
async function createFullRuntime() {
	const gate = createGate();
	const runtime = await createTestRuntime({
		agents: { desk: graph, far: { remoteAgentId: "ag_1" } },
		ports: scriptedPorts(async (input) => {
			await gate.opened;
			if (input === "fail") throw new Error("no voice");
			return "Late.";
		}),
		remote: scriptedRemote(async function* () {
			yield started("run_far");
			await gate.opened;
			yield completed("run_far", 2, "Far.");
		}),
		maxRuns: 2,
	});
	return { ...runtime, gate };
}

describe("more runs than may be under way at once", () => {
	it("are refused with 429 and when to try again, whoever asks for whatever", async () => {
		const { post, get, gate } = await createFullRuntime();
		const first = post("/run/desk", { input: "hi" }, { "idempotency-key": "k" });
		const second = post("/run/far", { input: "hi" });
		await expect.poll(async () => (await get("/runs/run_far/events")).status).toBe(200);
		for (const path of ["/run/desk", "/run/far"]) {
			const refused = await post(path, { input: "ho" }, STREAMED);
			expect({ status: refused.status, wait: refused.headers.get("retry-after") }).toEqual({
				status: 429,
				wait: "1",
			});
			expect(await refused.json()).toMatchObject({ error: { code: "too_many_runs" } });
		}
		const byA2a = await post("/a2a/desk", message("ho"), BY_A2A);
		expect({ status: byA2a.status, text: await byA2a.text() }).toMatchObject({
			status: 429,
			text: expect.stringContaining("too_many_runs"),
		});
		const again = post("/run/desk", { input: "hi" }, { "idempotency-key": "k" });
		gate.open();
		for (const answer of [first, second, again]) expect((await answer).status).toBe(200);
	});

	it("are taken again after every kind of ending", async () => {
		const { post, gate } = await createFullRuntime();
		const open = async (input: string) =>
			followEvents(await post("/run/desk", { input }, STREAMED))
				.next()
				.then(({ value }) => value?.run_id);
		const [one] = await Promise.all([open("hi"), open("fail")]);
		expect((await post("/run/desk", { input: "ho" })).status).toBe(429);
		await post(`/runs/${one}/cancel`);
		await open("hi");
		expect((await post("/run/desk", { input: "ho" })).status).toBe(429);
		gate.open();
		await expect.poll(async () => (await post("/run/desk", { input: "ho" })).status).toBe(200);
		for (const _ of [1, 2, 3, 4]) expect((await post("/run/none", { input: "ho" })).status).toBe(404);
		expect((await post("/run/desk", { input: "ho" })).status).toBe(200);
	});

	it.each([0, -1, 1.5, Number.NaN])("cannot be %d", async (maxRuns) => {
		await expect(createTestRuntime({ maxRuns })).rejects.toThrow(/is not a number of runs/);
	});
});
