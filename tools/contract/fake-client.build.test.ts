import { type ApiError, Stemma, type WireRunEvent } from "@stemma/client";
import { createFakeStemma } from "@stemma/client/testing";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../end-to-end/servers";

const QUESTION = "When does the office open?";
const ANSWER = "The office opens at nine and closes at five.";

interface TestEnvironment {
	readonly stemma: Stemma;
	/** Which sees less. */
	readonly browser: Stemma;
	readonly knowledgeBase: string;
}

const harness = createHarness();
let real: TestEnvironment;
let fake: TestEnvironment;

beforeAll(async () => {
	const { stemma, url, credentials } = await startService(harness);
	const { id } = await stemma.knowledge.create({ name: "Office" });
	const upload = await stemma.knowledge.documents.addText(id, { text: ANSWER });
	await stemma.knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 });
	const node = { id: "coordinator", kind: "coordinator" } as const;
	const pages = { id: "pages", kind: "knowledge", knowledgeBases: [id] } as const;
	const edges = [{ from: "coordinator", to: "pages", mode: "before" }] as const;
	await stemma.agents.create({ slug: "desk", graph: { name: "desk", nodes: [node, pages], edges } });
	const output = { type: "array", items: { type: "string" } };
	await stemma.agents.create({ slug: "other", graph: { name: "other", nodes: [node] } });
	await stemma.agents.create({ slug: "broken", graph: { name: "broken", nodes: [{ ...node, output }] } });
	const browser = new Stemma({ baseUrl: url, clientKey: credentials.client_key });
	real = { stemma, browser, knowledgeBase: id };

	const passage = { n: 1, text: ANSWER, document: "Office", place: { start: 0, end: ANSWER.length } };
	const script = {
		agents: {
			desk: [
				{ type: "node.started", node: "coordinator" },
				{ type: "node.started", node: "pages", kind: "knowledge", mode: "before", input: QUESTION },
				{ type: "node.completed", node: "pages", output: { query: QUESTION, passages: [passage] } },
				{ output: `${ANSWER} [1]`, citations: [{ text: ANSWER }] },
			],
			other: "Anything.",
			broken: { error: { code: "output_invalid", message: "No.", hint: "Other." } },
		},
		ask: { answer: `${ANSWER} [1]`, citations: [{ text: ANSWER }] },
		search: [{ text: ANSWER }],
	} as const;
	fake = {
		stemma: createFakeStemma(script).stemma,
		browser: createFakeStemma({ ...script, credential: "client_key" }).stemma,
		knowledgeBase: id,
	};
});
afterAll(() => harness.end());

/** The keys of a value at every level; of a list those of its first element, and texts by their kind alone. */
function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
	if (typeof value !== "object" || value === null) return typeof value;
	return Object.fromEntries(
		Object.entries(value)
			// A real passage has its place in a document, as far as there is one.
			.filter(([key]) => !["page", "heading"].includes(key))
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, one]) => [key, shapeOf(one)]),
	);
}

/** Each event's shape; pieces of text that follow one another count as one. */
async function eventShapes(events: AsyncIterable<{ readonly type: string }>): Promise<unknown[]> {
	const shapes: unknown[] = [];
	let before = "";
	for await (const event of events) {
		if (event.type !== "text.delta" || before !== "text.delta")
			shapes.push({ ...(shapeOf(event) as object), type: event.type });
		before = event.type;
	}
	return shapes;
}

const runOf = async (stemma: Stemma, agent: string): Promise<unknown> => {
	try {
		return shapeOf(await stemma.agents.run(agent, { input: QUESTION }));
	} catch (error) {
		return shapeOf((error as { readonly result: unknown }).result);
	}
};

const scenarios: readonly [string, (environment: TestEnvironment) => Promise<unknown>][] = [
	["the events of a run", ({ stemma }) => eventShapes(stemma.agents.stream("desk", { input: QUESTION }))],
	[
		"the events of a run that fails",
		({ stemma }) => eventShapes(stemma.agents.stream("broken", { input: QUESTION })),
	],
	[
		"the events for a client key",
		({ browser }) => eventShapes(browser.agents.stream("desk", { input: QUESTION })),
	],
	["a result", ({ stemma }) => runOf(stemma, "desk")],
	["the result of a failure", ({ stemma }) => runOf(stemma, "broken")],
	["a result for a client key", ({ browser }) => runOf(browser, "desk")],
	[
		"a run that goes on by itself, then its record and its end read again",
		async ({ stemma }) => {
			const started = await stemma.agents.start("desk", { input: QUESTION });
			const first: WireRunEvent[] = [];
			for await (const event of stemma.runs.stream(started.id)) first.push(event);
			const after = (first.at(-1)?.seq ?? 1) - 1;
			return [
				{ ...(shapeOf(started) as object), run_token: typeof started.run_token },
				shapeOf(await stemma.runs.get(started.id)),
				await eventShapes(stemma.runs.stream(started.id, { after })),
				shapeOf(await stemma.runs.cancel(started.id)),
				shapeOf(await stemma.runs.list({ limit: 1 })),
			];
		},
	],
	[
		"the events of an answer",
		({ stemma, knowledgeBase }) => eventShapes(stemma.ask.stream(question(knowledgeBase))),
	],
	["an answer", async ({ stemma, knowledgeBase }) => shapeOf(await stemma.ask(question(knowledgeBase)))],
	[
		"what a search finds",
		async ({ stemma, knowledgeBase }) =>
			shapeOf(await stemma.search({ query: QUESTION, knowledge_base_ids: [knowledgeBase] })),
	],
	[
		"the error for a run that is not there",
		async ({ stemma }) => {
			const error = await stemma.runs.get("run_none").catch((reason: unknown) => reason);
			const { status, code } = error as { readonly status: number; readonly code: string };
			return [status, code];
		},
	],
];

const question = (knowledgeBase: string) => ({ question: QUESTION, knowledge_base_ids: [knowledgeBase] });

describe("the fake gives what the service gives", () => {
	it.each(scenarios)("%s", async (_, runScenario) => {
		expect(await runScenario(fake)).toEqual(await runScenario(real));
	});
});

/** Where nobody checks types. */
const run = (stemma: Stemma, request: object) => stemma.agents.run("desk", request as { input: string });
const ask = (stemma: Stemma, request: object) => stemma.ask(request as ReturnType<typeof question>);
const search = ({ stemma, knowledgeBase }: TestEnvironment, more: object) =>
	stemma.search({ query: QUESTION, knowledge_base_ids: [knowledgeBase], ...more });
const listRuns = (stemma: Stemma, filter: object) => stemma.runs.list(filter);

const refused: readonly [string, (environment: TestEnvironment) => PromiseLike<unknown>][] = [
	["a run without input", ({ stemma }) => run(stemma, {})],
	["a stream without input", ({ stemma }) => stemma.agents.stream("desk", {} as { input: string }).result()],
	["a run's unknown field", ({ stemma }) => run(stemma, { input: "?", inptu: 1 })],
	["context that is text", ({ stemma }) => run(stemma, { input: "?", context: "Ada" })],
	["context that is a list", ({ stemma }) => run(stemma, { input: "?", context: [] })],
	[
		"a conversation with a system role",
		({ stemma }) => run(stemma, { input: { messages: [{ role: "system", content: "Be brief." }] } }),
	],
	[
		"a picture in a conversation",
		({ stemma }) =>
			run(stemma, {
				input: { messages: [{ role: "user", content: [{ type: "text", text: "" }, { type: "image" }] }] },
			}),
	],
	[
		"a picture in a history",
		({ stemma }) =>
			ask(stemma, {
				...question("kb_1"),
				history: [{ role: "user", content: [{ type: "image", text: "" }] }],
			}),
	],
	["background that is text", ({ stemma }) => run(stemma, { input: "?", background: "yes" })],
	[
		"an empty question",
		({ stemma, knowledgeBase }) => ask(stemma, { ...question(knowledgeBase), question: "" }),
	],
	[
		"a blank question",
		({ stemma, knowledgeBase }) => ask(stemma, { ...question(knowledgeBase), question: " " }),
	],
	["a long question", ({ stemma }) => ask(stemma, { ...question("kb_1"), question: "?".repeat(10_001) })],
	["no question", ({ stemma }) => ask(stemma, { knowledge_base_ids: ["kb_1"] })],
	[
		"a stream without a question",
		({ stemma }) =>
			stemma.ask.stream({ knowledge_base_ids: ["kb_1"] } as unknown as ReturnType<typeof question>).answer(),
	],
	[
		"a question of no knowledge base",
		({ stemma }) => ask(stemma, { ...question(""), knowledge_base_ids: [] }),
	],
	[
		"an id that is a number",
		({ stemma }) => ask(stemma, { ...question(""), knowledge_base_ids: ["kb_1", 2] }),
	],
	[
		"a history with a bad role",
		({ stemma }) => ask(stemma, { ...question("kb_1"), history: [{ role: "system", content: "" }] }),
	],
	["a model that is text", ({ stemma }) => ask(stemma, { ...question("kb_1"), model: "large" })],
	["top_k of a question, too large", ({ stemma }) => ask(stemma, { ...question("kb_1"), top_k: 51 })],
	["a search for nothing", (environment) => search(environment, { query: "" })],
	["top_k 0", (environment) => search(environment, { top_k: 0 })],
	["top_k 5000", (environment) => search(environment, { top_k: 5000 })],
	["half a top_k", (environment) => search(environment, { top_k: 1.5 })],
	["top_k that is text", (environment) => search(environment, { top_k: "8" })],
	["a filter that is text", (environment) => search(environment, { filter: "new" })],
	["runs of no status", ({ stemma }) => listRuns(stemma, { status: "done" })],
	["a page too large", ({ stemma }) => listRuns(stemma, { limit: 1000 })],
	["a page of none", ({ stemma }) => listRuns(stemma, { limit: 0 })],
	["an unknown filter", ({ stemma }) => listRuns(stemma, { agnet_id: "desk" })],
	[
		"events after no number",
		async ({ stemma }) => {
			const { id } = await stemma.agents.start("other", { input: "?" });
			await stemma.client.request({ method: "GET", path: `/v1/runs/${id}/events`, query: { after: "last" } });
		},
	],
	[
		"another request with the same key",
		async ({ stemma }) => {
			const once = { idempotencyKey: "conflict" };
			await stemma.agents.start("other", { input: "1" }, once);
			await stemma.agents.start("other", { input: "2" }, once);
		},
	],
	["a client key that lists runs", ({ browser }) => browser.runs.list()],
	["a client key that lists agents", ({ browser }) => browser.agents.list()],
	["a client key that reads a knowledge base", ({ browser }) => browser.knowledge.get("kb_1")],
	["a client key that lists client keys", ({ browser }) => browser.clientKeys.list()],
	["a client key that asks nothing", ({ browser }) => ask(browser, { knowledge_base_ids: ["kb_1"] })],
	[
		"a client key without its run's token",
		async ({ browser }) => browser.runs.get((await browser.agents.start("other", { input: "?" })).id),
	],
];

describe("the fake refuses what the service refuses", () => {
	const ID = /run_\w+/g;

	it.each(refused)("%s", async (_, runScenario) => {
		const [actual, expected] = await Promise.all(
			[fake, real].map(async (environment) => {
				const error = await runScenario(environment).then(
					() => undefined,
					(reason: unknown) => reason,
				);
				const { name, status, code, message, param } = (error ?? {}) as ApiError;
				return { name, status, code, message: message?.replaceAll(ID, "run_…"), param };
			}),
		);
		expect(expected?.status).toBeGreaterThanOrEqual(400);
		expect(actual).toEqual(expected);
	});
});

it("starts a run of its own for the same key of another agent, and the same run for the same request", async () => {
	for (const { stemma } of [fake, real]) {
		const once = { idempotencyKey: "each" };
		const first = await stemma.agents.start("desk", { input: { a: 1, b: 2 } }, once);
		const same = await stemma.agents.start("desk", { input: { b: 2, a: 1 } }, once);
		const other = await stemma.agents.start("other", { input: { a: 1, b: 2 } }, once);
		expect([same.id === first.id, other.id === first.id, other.agent_slug]).toEqual([true, false, "other"]);
	}
});
