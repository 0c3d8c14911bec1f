import type { AgentEdge, AgentGraph, AgentNode, RunEvent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { EngineRun, ToolPort } from "../index";
import { calls, createScripted, runScripted } from "../test-support/scripted";

const desk: AgentNode = { id: "desk", kind: "coordinator" };
const look: AgentNode = { id: "look", kind: "tool", tool: "look" };
const lookGraph: AgentGraph = { nodes: [desk, look], edges: [{ from: "desk", to: "look" }] };

/** Tools that answer when they are told to; notes who was called, and how many at most were in flight at once. */
function blockedTools() {
	const called: string[] = [];
	const blocked: (() => void)[] = [];
	let [inFlight, max] = [0, 0];
	const tools: ToolPort = {
		describe: async () => ({
			parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
		}),
		call({ arguments: { input } }) {
			called.push(String(input));
			inFlight += 1;
			max = Math.max(max, inFlight);
			return new Promise((resolve) => {
				blocked.push(() => {
					inFlight -= 1;
					resolve(`seen ${input}`);
				});
			});
		},
	};
	return { tools, called, release: () => blocked.shift()?.(), max: () => max };
}

const nextTimer = () => new Promise((resolve) => setTimeout(resolve));
const inputs = Array.from({ length: 20 }, (_, index) => String(index));
const script = { desk: [calls(...inputs.map((input) => ["look", input] as const)), "Done."] };

describe("calls of one run", () => {
	it.each([
		[undefined, 8],
		[3, 3],
		[100, 20],
	])("with maxConcurrentCalls %s are out %s at once, and the others follow in order", async (limit, max) => {
		const fixture = blockedTools();
		const running = runScripted(lookGraph, {
			script,
			ports: { tools: fixture.tools },
			...(limit === undefined ? {} : { maxConcurrentCalls: limit }),
		});
		await nextTimer();
		expect(fixture.called).toEqual(inputs.slice(0, max));
		fixture.release();
		await nextTimer();
		expect(fixture.called).toEqual(inputs.slice(0, max + 1));
		for (const _ of inputs) {
			fixture.release();
			await nextTimer();
		}
		const { result, requests } = await running;
		expect([result.status, result.usage.steps, fixture.max()]).toEqual(["completed", 23, max]);
		expect(fixture.called).toEqual(inputs);
		expect(requests[1]?.messages.slice(2).map(({ content }) => content)).toEqual(
			inputs.map((input) => `seen ${input}`),
		);
	});

	it("that wait for what they called are not out: nesting does not wait for itself", async () => {
		const ids = ["desk", "a", "b", "c", "d"];
		const nodes = ids.map((id, index): AgentNode => ({ id, kind: index === 0 ? "coordinator" : "agent" }));
		const edges = ids.slice(1).map((to, index): AgentEdge => ({ from: ids[index] ?? "", to }));
		const twice =
			(to: string) =>
			({ messages }: { readonly messages: readonly unknown[] }) =>
				messages.length === 1 ? calls([to, "x"], [to, "y"]) : "Back.";
		const { result } = await runScripted(
			{ nodes, edges, limits: { maxSteps: 200 } },
			{ maxConcurrentCalls: 1, script: { desk: twice("a"), a: twice("b"), b: twice("c"), c: twice("d") } },
		);
		expect(result).toMatchObject({ status: "completed", output: "Back.", usage: { model_calls: 46 } });
	});

	it("that wait are given up in order, and are neither steps nor paid for", async () => {
		const nodes = [desk, ...inputs.map((id): AgentNode => ({ id: `n${id}`, kind: "agent" }))];
		const edges = inputs.map((id): AgentEdge => ({ from: "desk", to: `n${id}`, mode: "then" }));
		const controller = new AbortController();
		const startedIds: string[] = [];
		const { result, events } = await runScripted(
			{ nodes, edges },
			{
				signal: controller.signal,
				script: Object.fromEntries(
					inputs.map((id) => [
						`n${id}`,
						() => {
							startedIds.push(id);
							if (startedIds.length === 8) controller.abort();
							return new Promise<string>(() => undefined);
						},
					]),
				),
			},
		);
		expect(result).toMatchObject({ status: "cancelled", usage: { model_calls: 9, steps: 30 } });
		expect(result.receipt.slice(1).map(({ node }) => node)).toEqual(startedIds.map((id) => `n${id}`));
		expect(events.filter(({ type }) => type === "node.failed")).toHaveLength(21);
	});

	it("that wait when the run is saved are made when it goes on, and those that were out are not made again", async () => {
		const first = blockedTools();
		const { engine } = createScripted(lookGraph, { script, ports: { tools: first.tools } });
		const run: EngineRun = engine.start({ input: "hello" });
		await nextTimer();
		const saved = JSON.parse(JSON.stringify(run.serialize()));
		const second = blockedTools();
		const next = createScripted(lookGraph, {
			script: { desk: ["Done."] },
			ports: { tools: second.tools },
		});
		const events: RunEvent[] = [];
		const resumed = next.engine.resume(saved, { onEvent: (event) => events.push(event) });
		for (const _ of inputs) {
			await nextTimer();
			second.release();
		}
		const { status, usage } = await resumed.result;
		expect([status, usage.steps]).toEqual(["completed", 23]);
		expect(first.called).toEqual(inputs.slice(0, 8));
		expect(second.called).toEqual(inputs.slice(8));
		const contents = next.requests[0]?.messages.slice(2).map(({ content }) => content) ?? [];
		expect(contents.map((content) => content.slice(0, 15))).toEqual([
			...inputs.slice(0, 8).map(() => "outcome_unknown"),
			...inputs.slice(8).map((input) => `seen ${input}`),
		]);
		expect(events[0]).toMatchObject({ type: "run.resumed" });
	});

	it.each([0, 1.5, Number.NaN])("are not limited by maxConcurrentCalls %s", (maxConcurrentCalls) => {
		expect(() => createScripted(lookGraph, { maxConcurrentCalls })).toThrow(
			/maxConcurrentCalls must be a whole/,
		);
	});
});
