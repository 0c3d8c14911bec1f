import type { WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import type { SourceEvent } from "@stemma/runs";
import { completed, finalText, started } from "@stemma/simulators/run-events";
import { expect, it } from "vitest";
import type { RunnableAgent } from "../agents/runnable-agent";

import { RunRegistry } from "./run-registry";

const notUsed = (): never => {
	throw new Error("not used");
};

const playEvents = (events: readonly SourceEvent[]): RunnableAgent => ({
	isRemote: false,
	start: () => ({
		async follow(onEvent) {
			await Promise.resolve();
			events.forEach(onEvent);
		},
		cancel: () => undefined,
		decide: notUsed,
		save: () => '{"saved":1}',
	}),
	resume: notUsed,
});

const scripted = (id: string, text: string): RunnableAgent =>
	playEvents([started(id), finalText(id, 2, text), completed(id, 3, "")]);

const subject = { agentId: "a", agentVersion: 1 };

it("evicts the runs that ended first when all logs together grow too large", async () => {
	const registry = new RunRegistry({ toRunError: () => ({ code: "x", message: "x" }) });
	const evicted: string[] = [];
	registry.onEvict(({ id }) => evicted.push(id));
	const text = "a".repeat(3_990_000);
	for (let index = 0; index < 18; index++) {
		const agent = scripted(`run_${index}`, text);
		await (await registry.start({ agent, subject, input: { input: "" }, depth: 1 })).settled();
	}
	expect(evicted).toEqual(["run_0", "run_1"]);
	expect(registry.find("run_0")).toBe("evicted");
	expect(registry.find("run_2")).toMatchObject({ id: "run_2" });
	expect(registry.find("run_x")).toBeUndefined();
});

it("evicts the first of very many short runs", async () => {
	const registry = new RunRegistry({ toRunError: () => ({ code: "x", message: "x" }) });
	for (let index = 0; index < 30_000; index++) {
		const agent = scripted(`run_${index}`, "a");
		await (await registry.start({ agent, subject, input: { input: "" }, depth: 1 })).settled();
	}
	expect(registry.find("run_0")).toBe("evicted");
	expect(registry.find("run_29999")).toMatchObject({ id: "run_29999" });
	expect(registry.counts()).toEqual({ running: 0, paused: 0 });
});

it("keeps a thousand runs that wait, and ends the next one", async () => {
	const registry = new RunRegistry({ toRunError: () => ({ code: "x", message: "x" }) });
	const result = { ...resultOf(completed("run_0", 2, "")), status: "paused" as const };
	for (let index = 0; index <= 1_000; index++) {
		const id = `run_${index}`;
		const agent = playEvents([started(id), { type: "run.paused", run_id: id, seq: 2, at: 0, result }]);
		await (await registry.start({ agent, subject, input: { input: "" }, depth: 1 })).settled();
	}
	expect(registry.counts()).toEqual({ running: 0, paused: 1_000 });
	expect(registry.find("run_0")).toMatchObject({ status: "paused" });
	expect(registry.find("run_1000")).toMatchObject({
		result: { status: "failed", error: { code: "too_many_paused_runs" } },
	});
});

function resultOf(event: WireRunEvent): RunResult {
	if (!("result" in event)) throw new Error("It has no result.");
	return event.result;
}
