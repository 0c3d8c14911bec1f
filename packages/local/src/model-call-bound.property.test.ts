import { type ChatRequest, inspectAgent, validateAgent } from "@stemma/core";
import { createEngine, type EngineRunOptions } from "@stemma/engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { platformHost } from "./host";

// What `inspectAgent` promises is what the engine keeps to.

const MAX_STEPS = 20_000;
const MAX_CALLS = 3;

type Choice = "all" | "text" | number;

/** Small graphs without a cycle, of any modes; the first node is the coordinator. */
const arbitraryGraph = (modes: readonly string[], count = 5) =>
	fc
		.record({
			nodes: fc.array(
				fc.record({
					isModel: fc.boolean(),
					maxTurns: fc.integer({ min: 1, max: 3 }),
					hasOutput: fc.boolean(),
				}),
				{ minLength: count, maxLength: count },
			),
			edges: fc.array(
				fc.record({
					ends: fc.tuple(fc.nat(count - 1), fc.nat(count - 1)),
					mode: fc.constantFrom(...modes),
					maxCalls: fc.integer({ min: 1, max: MAX_CALLS }),
				}),
				{ maxLength: 9 },
			),
		})
		.map(({ nodes, edges }) => ({
			nodes: nodes.map(({ isModel, maxTurns, hasOutput }, index) => {
				const id = `n${index}`;
				if (!isModel && index > 0) return { id, kind: "knowledge", knowledgeBases: ["kb"] };
				const output = hasOutput ? { output: { type: "string" } } : {};
				return { id, kind: index === 0 ? "coordinator" : "agent", maxTurns, ...output };
			}),
			edges: edges
				.filter(({ ends: [a, b] }) => a !== b)
				.map(({ ends, mode, maxCalls }) => ({
					from: `n${Math.min(...ends)}`,
					to: `n${Math.max(...ends)}`,
					...(mode === "switch" ? { mode: "then", when: { path: "", exists: true } } : { mode }),
					...(mode === "call" ? { maxCalls } : {}),
				})),
			limits: { maxSteps: MAX_STEPS, maxDepth: 50 },
		}));

interface RunScript {
	choose(request: ChatRequest): Choice;
	/** Default: text. */
	readonly input?: EngineRunOptions["input"];
	/** Returns whether a search fails. Default: none does. */
	failsToSearch?(): boolean;
}

/** How many model calls and searches of its conversation a run really makes, and how many it may. */
async function runOf(json: unknown, { choose, input = "go", failsToSearch }: RunScript) {
	const validation = validateAgent(json);
	fc.pre(validation.success);
	const { graph } = validation;
	const { modelCalls } = inspectAgent(graph);
	fc.pre(modelCalls.boundBy === "graph" && modelCalls.max < 500);
	let made = 0;
	let rewrites = 0;
	const model = {
		provider: "greedy",
		model: "g",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(request: ChatRequest) {
			made += 1;
			yield {
				type: "finish" as const,
				reply: { ...reply(request, choose(request)), finishReason: "stop" as const },
			};
		},
	};
	const unused = () => Promise.reject(new Error("not used"));
	const engine = createEngine(graph, {
		host: platformHost,
		ports: {
			models: { resolve: () => ({ model, payer: "none", reason: "In the test." }) },
			retriever: {
				async retrieve({ history }) {
					if (history !== undefined) rewrites += 1;
					if (failsToSearch?.() === true) throw new Error("The index is asleep.");
					return { passages: [] };
				},
			},
			tools: { describe: unused, call: unused },
			agents: { run: unused },
			validate: (_, value) => (value === "good" ? { valid: true } : { valid: false, errors: ["Not good."] }),
		},
	});
	const { status, error } = await engine.run({ input });
	// What several continuations gave is an object, in which a knowledge node finds no question.
	fc.pre(error?.code !== "no_query");
	if (failsToSearch === undefined)
		expect({ status, error }).toEqual({ status: "completed", error: undefined });
	return { made, max: modelCalls.max, rewrites, maxRewrites: modelCalls.rewrites?.length ?? 0 };
}

/** Text is JSON, and good only when it was asked for again. */
function reply({ messages, tools = [] }: ChatRequest, choice: Choice) {
	const chosen = typeof choice === "number" ? tools.slice(choice % tools.length).slice(0, 1) : tools;
	const toolCalls = Array.from({ length: MAX_CALLS }, (_, round) =>
		chosen.map(({ name }, index) => ({ id: `c${round}_${index}`, name, arguments: '{"input":"?"}' })),
	).flat();
	if (choice !== "text" && toolCalls.length > 0) return { text: "", toolCalls };
	const isRepair = messages.at(-1)?.content.startsWith("That is not the JSON") === true;
	return { text: isRepair ? '"good"' : '"bad"', toolCalls: [] };
}

const canCall = ({ toolChoice }: ChatRequest): boolean => toolChoice === "auto";

const MODES = ["call", "call", "handoff", "before", "then", "switch"];
const arbitraryChoices = fc.infiniteStream(
	fc.oneof(fc.constant<Choice>("all"), fc.nat(9), fc.constant<Choice>("text")),
);
const chooseFrom =
	(choices: Iterator<Choice>): RunScript["choose"] =>
	(request) =>
		canCall(request) ? (choices.next().value ?? "text") : "text";

test("no run makes more model calls than inspectAgent says", async () => {
	await fc.assert(
		fc.asyncProperty(arbitraryGraph(MODES), arbitraryChoices, async (graph, choices) => {
			const { made, max } = await runOf(graph, { choose: chooseFrom(choices) });
			expect(made).toBeLessThanOrEqual(max);
		}),
		{ numRuns: 300 },
	);
});

test("no run makes more searches of its conversation than inspectAgent says, also where they fail", async () => {
	const modes = ["before", "before", "handoff", ...MODES];
	const messages = ["user", "assistant", "user"].map((role) => ({ role, content: "Go." }));
	const failures = fc.infiniteStream(fc.boolean());
	await fc.assert(
		fc.asyncProperty(arbitraryGraph(modes), arbitraryChoices, failures, async (graph, choices, fails) => {
			const { rewrites, maxRewrites } = await runOf(graph, {
				choose: chooseFrom(choices),
				input: { messages },
				failsToSearch: () => fails.next().value === true,
			});
			expect(rewrites).toBeLessThanOrEqual(maxRewrites);
		}),
		{ numRuns: 300 },
	);
});

test("greedy models make as many, where the graph leaves no choice", async () => {
	await fc.assert(
		fc.asyncProperty(arbitraryGraph(["call", "before", "then"]), async (graph) => {
			const { made, max } = await runOf(graph, {
				choose: (request) => (canCall(request) ? "all" : "text"),
			});
			expect(made).toBe(max);
		}),
		{ numRuns: 300 },
	);
});
