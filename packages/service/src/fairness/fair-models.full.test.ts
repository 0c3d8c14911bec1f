import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getBody } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "../test-support/test-deployment";

let deployment: TestDeployment;
let floodingTenant: TestWorkspace;
let otherTenant: TestWorkspace;

beforeAll(async () => {
	deployment = await openTestDeployment(built);
	floodingTenant = await deployment.addWorkspace("flood");
	otherTenant = await deployment.addWorkspace("other");
});
afterAll(() => deployment?.close());

/** What a knowledge base gave, as the built-in model quotes from it. */
function toPassages(count: number): string {
	const passages = Array.from({ length: count }, (_, n) => ({
		n: n + 1,
		document: `Log ${n}`,
		text: Array.from({ length: 100 }, (_, line) => `Captain w${n * 100 + line} counts sheep${line}.`).join(
			" ",
		),
	}));
	return JSON.stringify({ passages });
}

const LONG = toPassages(50);

const complete = ({ send }: TestWorkspace, content: string, settings: object = {}) =>
	send("POST", "/v1/chat/completions", {
		json: {
			model: "default",
			messages: [
				{ role: "user", content },
				{ role: "user", content: "Which captain counts sheep7?" },
			],
			...settings,
		},
	});

const textOf = ({ body }: { readonly body: unknown }) =>
	(body as { choices?: { message: { content: string } }[] }).choices?.[0]?.message.content;

test("a run that goes in circles leaves the main thread to others", async () => {
	const cyclicRun = {
		nodes: [
			{ id: "a", kind: "coordinator" },
			{ id: "b", kind: "agent" },
			{ id: "c", kind: "agent" },
		],
		edges: [
			{ from: "a", to: "b", mode: "then" },
			{ from: "b", to: "c", mode: "then" },
			{ from: "c", to: "b", mode: "then", when: { path: "", exists: true } },
		],
		limits: { maxSteps: 1500, maxDepth: 900 },
	};
	const slug = `circle-${crypto.randomUUID()}`;
	await getBody(floodingTenant.send("POST", "/v1/agents", { json: { slug, graph: cyclicRun } }));
	const { result, answers } = await countAnswers(
		floodingTenant.send("POST", `/v1/agents/${slug}/run`, { json: { input: "Hello?" } }),
	);
	expect(result.body).toMatchObject({ error: { code: "max_steps" }, usage: { steps: 1500 } });
	// In one go, it lets hardly more than one come in before it starts, and one behind it.
	expect(answers).toBeGreaterThan(10);
});

/** Some work, and how many requests of another tenant are answered one after the other meanwhile. */
async function countAnswers<Result>(work: Promise<Result>) {
	let isOver = false;
	const ended = work.finally(() => {
		isOver = true;
	});
	let answers = 0;
	while (!isOver) {
		expect((await otherTenant.send("GET", "/v1/models")).status).toBe(200);
		answers += 1;
	}
	return { result: await ended, answers };
}

test("long requests to the built-in model leave the main thread to others", async () => {
	const { result, answers } = await countAnswers(
		Promise.all(Array.from({ length: 8 }, () => complete(floodingTenant, LONG))),
	);
	expect(result.map(({ status }) => status)).toEqual(result.map(() => 200));
	expect(textOf(result[0] ?? { body: {} })).toContain("sheep7");
	// One after the other, they let hardly more than one come in between each of them.
	expect(answers).toBeGreaterThan(100);
});

test("and take turns between workspaces", async () => {
	const answered: string[] = [];
	const flooding = Array.from({ length: 8 }, () =>
		complete(floodingTenant, LONG).finally(() => answered.push("flood")),
	);
	await Promise.race(flooding);
	expect((await complete(otherTenant, LONG)).status).toBe(200);
	expect(answered.length).toBeLessThan(5);
	await Promise.all(flooding);
});

test("a thread answers and refuses as the main thread does", async () => {
	const [short, long] = [toPassages(1), `${toPassages(1)}\n${"Nothing. ".repeat(8000)}`];
	expect(textOf(await complete(otherTenant, long))).toBe(textOf(await complete(otherTenant, short)));
	const settings = { frequency_penalty: 1 };
	const [here, there] = [
		await complete(otherTenant, short, settings),
		await complete(otherTenant, long, settings),
	];
	const codeOf = ({ body }: { readonly body: unknown }) => (body as { error: { code: string } }).error.code;
	expect(here.status).toBe(400);
	expect([there.status, codeOf(there)]).toEqual([here.status, codeOf(here)]);
});
