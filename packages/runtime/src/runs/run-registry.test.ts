import { expect, it } from "vitest";
import { completed, finalText, started } from "../test-support/scripted";
import { createRunRegistry } from "./run-registry";

it("forgets the runs that ended first when all logs together grow too large", async () => {
	const registry = createRunRegistry(() => ({ code: "x", message: "x" }));
	const forgotten: string[] = [];
	registry.onForget(({ id }) => forgotten.push(id));
	const text = "a".repeat(3_990_000);
	for (let index = 0; index < 66; index++) {
		const id = `run_${index}`;
		const agent = {
			async *start() {
				yield started(id);
				yield finalText(id, 2, text);
				yield completed(id, 3, "");
			},
		};
		const subject = { agentId: "a", agentVersion: 1 };
		const run = await registry.start({ agent, subject, input: { input: "" }, depth: 1 });
		await run.ended;
	}
	expect(forgotten).toEqual(["run_0", "run_1"]);
	expect(registry.find("run_0")).toBe("forgotten");
	expect(registry.find("run_2")).toMatchObject({ id: "run_2" });
	expect(registry.find("run_x")).toBeUndefined();
});
