import { Stemma, type WireRunEvent } from "@stemma/client";
import { createFakeStemma } from "@stemma/client/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScene } from "../../../../tools/end-to-end/scene.ts";
import { startService } from "../../../../tools/end-to-end/servers.ts";

const QUESTION = "When does the office open?";
const ANSWER = "The office opens at nine and closes at five.";

interface World {
	readonly stemma: Stemma;
	/** Which sees less. */
	readonly browser: Stemma;
	readonly knowledgeBase: string;
}

const scene = createScene();
let real: World;
let fake: World;

beforeAll(async () => {
	const { stemma, url, credentials } = await startService(scene);
	const { id } = await stemma.knowledge.create({ name: "Office" });
	const upload = await stemma.knowledge.documents.addText(id, { text: ANSWER });
	await stemma.knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 });
	const node = { id: "coordinator", kind: "coordinator" } as const;
	const pages = { id: "pages", kind: "knowledge", knowledgeBases: [id] } as const;
	const edges = [{ from: "coordinator", to: "pages", mode: "before" }] as const;
	await stemma.agents.create({ slug: "desk", graph: { name: "desk", nodes: [node, pages], edges } });
	const output = { type: "array", items: { type: "string" } };
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
afterAll(() => scene.end());

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

const scenarios: readonly [string, (world: World) => Promise<unknown>][] = [
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
	it.each(scenarios)("%s", async (_, play) => {
		expect(await play(fake)).toEqual(await play(real));
	});
});
