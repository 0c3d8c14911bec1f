import type { AgentEdge, AgentGraph, AgentNode, RunEvent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { EngineRun, ToolPort } from "./index";
import { calls, createScripted, runScripted } from "./test-support/scripted";

const desk: AgentNode = { id: "desk", kind: "coordinator" };
const look: AgentNode = { id: "look", kind: "tool", tool: "look" };
const lookGraph: AgentGraph = { nodes: [desk, look], edges: [{ from: "desk", to: "look" }] };

/** Tools that answer when they are told to; notes who was called, and how many at most were out at once. */
function heldTools() {
	const called: string[] = [];
	const held: (() => void)[] = [];
	let [out, most] = [0, 0];
	const tools: ToolPort = {
		describe: async () => ({
			parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
		}),
		call({ arguments: { input } }) {
			called.push(String(input));
			out += 1;
			most = Math.max(most, out);
			return new Promise((resolve) => {
				held.push(() => {
					out -= 1;
					resolve(`seen ${input}`);
				});
			});
		},
	};
	return { tools, called, release: () => held.shift()?.(), most: () => most };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const inputs = Array.from({ length: 20 }, (_, index) => String(index));
const script = { desk: [calls(...inputs.map((input) => ["look", input] as const)), "Done."] };

describe("calls of one run", () => {
	it.each([
		[undefined, 8],
		[3, 3],
		[100, 20],
	])("with maxConcurrentCalls %s are out %s at once, and the others follow in order", async (limit, most) => {
		const world = heldTools();
		const running = runScripted(lookGraph, {
			script,
			ports: { tools: world.tools },
			...(limit === undefined ? {} : { maxConcurrentCalls: limit }),
		});
		await settled();
		expect(world.called).toEqual(inputs.slice(0, most));
		world.release();
		await settled();
		expect(world.called).toEqual(inputs.slice(0, most + 1));
		for (const _ of inputs) {
			world.release();
			await settled();
		}
		const { result, requests } = await running;
		expect([result.status, result.usage.steps, world.most()]).toEqual(["completed", 23, most]);
		expect(world.called).toEqual(inputs);
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
		const asked: string[] = [];
		const { result, events } = await runScripted(
			{ nodes, edges },
			{
				signal: controller.signal,
				script: Object.fromEntries(
					inputs.map((id) => [
						`n${id}`,
						() => {
							asked.push(id);
							if (asked.length === 8) controller.abort();
							return new Promise<string>(() => undefined);
						},
					]),
				),
			},
		);
		expect(result).toMatchObject({ status: "cancelled", usage: { model_calls: 9, steps: 30 } });
		expect(result.receipt.slice(1).map(({ node }) => node)).toEqual(asked.map((id) => `n${id}`));
		expect(events.filter(({ type }) => type === "node.failed")).toHaveLength(21);
	});

	it("that wait when the run is saved are made when it goes on, and those that were out are not made again", async () => {
		const first = heldTools();
		const { engine } = createScripted(lookGraph, { script, ports: { tools: first.tools } });
		const run: EngineRun = engine.start({ input: "hello" });
		await settled();
		const saved = JSON.parse(JSON.stringify(run.serialize()));
		const second = heldTools();
		const next = createScripted(lookGraph, {
			script: { desk: ["Done."] },
			ports: { tools: second.tools },
		});
		const events: RunEvent[] = [];
		const resumed = next.engine.resume(saved, { onEvent: (event) => events.push(event) });
		for (const _ of inputs) {
			await settled();
			second.release();
		}
		const { status, usage } = await resumed.result;
		expect([status, usage.steps]).toEqual(["completed", 23]);
		expect(first.called).toEqual(inputs.slice(0, 8));
		expect(second.called).toEqual(inputs.slice(8));
		const told = next.requests[0]?.messages.slice(2).map(({ content }) => content) ?? [];
		expect(told.map((content) => content.slice(0, 15))).toEqual([
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
