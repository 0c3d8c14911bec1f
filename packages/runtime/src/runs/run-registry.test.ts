import { expect, it } from "vitest";
import type { RunnableAgent } from "../agents/runnable-agent";
import { completed, finalText, started } from "../test-support/scripted";
import { createRunRegistry } from "./run-registry";

const notUsed = (): never => {
	throw new Error("not used");
};

const scripted = (id: string, text: string): RunnableAgent => ({
	start: () => ({
		events: (async function* () {
			yield started(id);
			yield finalText(id, 2, text);
			yield completed(id, 3, "");
		})(),
		decide: notUsed,
		resume: notUsed,
		savedLength: 0,
	}),
});

const subject = { agentId: "a", agentVersion: 1 };

it("forgets the runs that ended first when all logs together grow too large", async () => {
	const registry = createRunRegistry({ explain: () => ({ code: "x", message: "x" }) });
	const forgotten: string[] = [];
	registry.onForget(({ id }) => forgotten.push(id));
	const text = "a".repeat(3_990_000);
	for (let index = 0; index < 18; index++) {
		const agent = scripted(`run_${index}`, text);
		await (await registry.start({ agent, subject, input: { input: "" }, depth: 1 })).ended();
	}
	expect(forgotten).toEqual(["run_0", "run_1"]);
	expect(registry.find("run_0")).toBe("forgotten");
	expect(registry.find("run_2")).toMatchObject({ id: "run_2" });
	expect(registry.find("run_x")).toBeUndefined();
});

it("forgets the first of very many short runs", async () => {
	const registry = createRunRegistry({ explain: () => ({ code: "x", message: "x" }) });
	for (let index = 0; index < 30_000; index++) {
		const agent = scripted(`run_${index}`, "a");
		await (await registry.start({ agent, subject, input: { input: "" }, depth: 1 })).ended();
	}
	expect(registry.find("run_0")).toBe("forgotten");
	expect(registry.find("run_29999")).toMatchObject({ id: "run_29999" });
	expect(registry.counts()).toEqual({ running: 0, paused: 0 });
});
