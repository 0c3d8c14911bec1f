import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInterrupted, isTerminal, NO_PROGRESS, reduceA2aProgress } from "./task-progress";
import { anyLog } from "./test-support/any-log";
import { chunkOf, messageOf, statusOf, taskOf, toTask } from "./test-support/fake-agent";
import type { A2aStreamResponse } from "./wire";

const reduce = (...events: readonly A2aStreamResponse[]) => events.reduce(reduceA2aProgress, NO_PROGRESS);

const partsOf = (...events: readonly A2aStreamResponse[]) => {
	const { result } = reduce(...events);
	return result !== undefined && "task" in result
		? result.task.artifacts?.map(({ parts }) => parts)
		: undefined;
};

const data = (value: number): A2aStreamResponse => ({
	artifactUpdate: {
		taskId: "task_1",
		contextId: "context_1",
		append: true,
		artifact: { artifactId: "artifact_1", parts: [{ data: value }] },
	},
});

describe("artifacts", () => {
	it.each<readonly [string, readonly A2aStreamResponse[], unknown]>([
		["a new one", [chunkOf("a")], [[{ text: "a" }]]],
		["text that goes on", [chunkOf("a"), chunkOf("b", { append: true })], [[{ text: "ab" }]]],
		["one that is replaced", [chunkOf("a"), chunkOf("b")], [[{ text: "b" }]]],
		["an addition to nothing", [chunkOf("a", { append: true })], [[{ text: "a" }]]],
		[
			"several",
			[chunkOf("a"), chunkOf("x", { artifactId: "other" }), chunkOf("b", { append: true })],
			[[{ text: "ab" }], [{ text: "x" }]],
		],
		["data behind text", [chunkOf("a"), data(1), data(2)], [[{ text: "a" }, { data: 1 }, { data: 2 }]]],
		["text behind data", [data(1), chunkOf("a", { append: true })], [[{ data: 1 }, { text: "a" }]]],
		[
			"a task in between",
			[
				chunkOf("lost"),
				{ task: taskOf("WORKING", { artifacts: [{ artifactId: "artifact_1", parts: [{ text: "a" }] }] }) },
				chunkOf("b", { append: true }),
			],
			[[{ text: "ab" }]],
		],
	])("%s", (_, events, parts) => {
		expect(partsOf(...events)).toEqual(parts);
	});

	it("text of another kind, or of a file, stays a part of its own", () => {
		const file = (more: object): A2aStreamResponse => ({
			artifactUpdate: {
				taskId: "task_1",
				contextId: "context_1",
				append: true,
				artifact: { artifactId: "artifact_1", parts: [{ text: "b", ...more }] },
			},
		});
		for (const more of [{ mediaType: "text/html" }, { filename: "b.txt" }, { metadata: { page: 2 } }])
			expect(partsOf(chunkOf("a"), file(more))).toEqual([[{ text: "a" }, { text: "b", ...more }]]);
		expect(partsOf(chunkOf("a"), file({ metadata: {}, filename: "" }))?.[0]).toHaveLength(1);
	});
});

describe("states", () => {
	it.each([
		["SUBMITTED", false, false],
		["WORKING", false, false],
		["COMPLETED", true, false],
		["FAILED", true, false],
		["CANCELED", true, false],
		["REJECTED", true, false],
		["INPUT_REQUIRED", false, true],
		["AUTH_REQUIRED", false, true],
	])("%s", (state, ended, waits) => {
		const { result } = reduce({ task: taskOf("WORKING") }, statusOf(state));
		expect([isTerminal(result), isInterrupted(result)]).toEqual([ended, waits]);
	});

	it("a message is the end", () => {
		const { result } = reduce({ message: messageOf("hello") });
		expect(result).toEqual({ message: messageOf("hello") });
		expect(isTerminal(result)).toBe(true);
	});
});

it("comes to the task that the agent keeps, and changes nothing that it is given", () => {
	fc.assert(
		fc.property(anyLog, (log) => {
			const frozen = JSON.parse(JSON.stringify(log), (_, value) => Object.freeze(value)) as typeof log;
			const states = frozen.map((_, count) => reduce(...frozen.slice(0, count + 1)));
			const before = JSON.stringify(states);
			expect(reduce(...frozen).result).toEqual({ task: toTask(log) });
			expect(JSON.stringify(states)).toBe(before);
		}),
	);
});

it("the size is that of what is kept, however it came", () => {
	const big = "x".repeat(1000);
	const fragments = [chunkOf(""), ...Array.from({ length: 100 }, () => chunkOf(big, { append: true }))];
	const { size } = reduce(...fragments);
	expect(size).toBeGreaterThan(100_000);
	expect(size).toBeLessThan(110_000);
	expect(reduce(...fragments, chunkOf("")).size).toBeLessThan(3000);
	const many = Array.from({ length: 100 }, (_, index) => chunkOf("", { artifactId: `artifact_${index}` }));
	expect(reduce(...many).size).toBeGreaterThan(10_000);
	expect(reduce(...fragments, { task: taskOf("WORKING") }).size).toBe(0);
});

it("many small pieces take no long time", () => {
	const startedAt = process.threadCpuUsage();
	const fragment = chunkOf("word ", { append: true });
	let progress = reduce(chunkOf(""));
	for (let count = 0; count < 100_000; count++) progress = reduceA2aProgress(progress, fragment);
	expect(process.threadCpuUsage(startedAt).user).toBeLessThan(5_000_000);
	const { result } = progress;
	expect(result && "task" in result && result.task.artifacts?.[0]?.parts[0]?.text?.length).toBe(500_000);
});
