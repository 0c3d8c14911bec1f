import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { createLatch } from "./latch.ts";
import { createRandom, type Random } from "./random.ts";
import { type Api, type Credentials, createApi, fetchToken } from "./service/api.ts";
import { type ServiceProcess, startServiceProcess } from "./service/service-process.ts";
import {
	type ListedMessage,
	listMessages,
	runThreadWorkload,
	type ThreadLedger,
} from "./threads/thread-workload.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 8);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const THREADS = 3;
const WORKERS = 6;
/** Messages that a model gets: 100 and the question. */
const MAX_MESSAGES = 101;

let folder: string;
let vendor: OpenAiSimulator;
let service: ServiceProcess | undefined;

/** Conversation of a request to the model, without its instructions. */
const conversationOf = (body: object | undefined): readonly string[] =>
	((body as { readonly messages?: readonly { role: string; content: string }[] } | undefined)?.messages ?? [])
		.filter(({ role }) => role !== "system")
		.map(({ content }) => content);

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-threads-"));
	// Slow enough for answers to be under way at any moment.
	vendor = await startOpenAiSimulator({
		behaviour: (body) => ({ kind: "reply", text: `Answer to ${conversationOf(body).at(-1)}`, pauseMs: 5 }),
	});
});
afterAll(async () => {
	await service?.kill();
	await vendor.close();
	rmSync(folder, { recursive: true, force: true });
});

/** What stays the same over all starts. */
interface TestData {
	readonly token: string;
	readonly knowledgeBase: string;
	readonly threads: readonly string[];
}

it(`keeps every message of threads once, killed ${kills} times`, { timeout: 900_000 }, async () => {
	onTestFailed(() =>
		console.error(`STEMMA_DURABILITY_SEED=${seed}\n${service?.errorOutput.slice(-20).join("\n")}`),
	);
	const random = createRandom(seed);
	const ledger: ThreadLedger = { started: new Map(), completed: new Map(), count: 0 };
	let testData: TestData | undefined;
	for (let kill = 0; kill < kills; kill++) {
		const { api, ...opened } = await open(testData);
		testData = opened.testData;
		await check(api, testData, ledger);
		await workAndKill(api, testData, ledger, random);
	}
	const { api, testData: last } = await open(testData);
	const messages = await check(api, last, ledger);
	expect(ledger.completed.size).toBeGreaterThan(kills);
	expect(new Set(messages.map(({ status }) => status))).toContain("failed");
	checkConversations(messages);
});

async function open(
	known: TestData | undefined,
): Promise<{ readonly api: Api; readonly testData: TestData }> {
	service = startServiceProcess(folder, vendor.baseUrl);
	const { url, credentials } = await service.ready;
	const secrets = JSON.parse(readFileSync(credentials, "utf8")) as Credentials;
	const token = known?.token ?? (await fetchToken(url, secrets));
	const api = createApi(url, token);
	return { api, testData: known ?? { token, ...(await createTestData(api)) } };
}

async function createTestData(api: Api): Promise<Omit<TestData, "token">> {
	const { id: knowledgeBase } = await api.post<{ id: string }>("/v1/knowledge-bases", { name: "books" });
	await api.post(`/v1/knowledge-bases/${knowledgeBase}/documents`, { text: "The harbour opens at nine." });
	const graph = { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] };
	await api.post("/v1/agents", { graph, slug: "desk" });
	const created = Array.from({ length: THREADS }, () => api.post<{ id: string }>("/v1/threads", {}));
	return { knowledgeBase, threads: (await Promise.all(created)).map(({ id }) => id) };
}

async function workAndKill(
	api: Api,
	{ threads, knowledgeBase }: TestData,
	ledger: ThreadLedger,
	random: Random,
): Promise<void> {
	const ended = new AbortController();
	const done = createLatch(random.between(5, 30));
	const workers = Array.from({ length: WORKERS }, (_, worker) =>
		runThreadWorkload({
			...{ api, ledger, knowledgeBase, thread: threads[worker % THREADS] ?? "" },
			random: createRandom(random.between(0, 2 ** 31)),
			...{ signal: ended.signal, onDone: done.count },
		}),
	);
	const working = Promise.all(workers);
	// On a busy machine less is done in the same time.
	await Promise.race([Promise.all([wait(random.between(50, 500)), done.done]), working]);
	await service?.kill();
	ended.abort();
	await working;
	expect(service?.errorOutput.filter((line) => line.includes("internal_error"))).toEqual([]);
}

/** Checks what was acknowledged, and that each message is there once, in its place, and ended. */
async function check(
	api: Api,
	{ threads }: TestData,
	ledger: ThreadLedger,
): Promise<readonly ListedMessage[]> {
	const all: ListedMessage[] = [];
	for (const thread of threads) {
		const messages = await listMessages(api, thread);
		const indexOf = new Map(messages.map(({ id }, index) => [id, index]));
		expect(indexOf.size).toBe(messages.length);
		for (const [index, { id, parent_id, status, text }] of messages.entries()) {
			expect(["completed", "failed", "cancelled"], id).toContain(status);
			if (parent_id !== null) expect(indexOf.get(parent_id), id).toBeLessThan(index);
			const answer = ledger.completed.get(id);
			if (answer !== undefined) expect([status, text]).toEqual(["completed", answer]);
		}
		const missing = [...(ledger.started.get(thread) ?? [])].filter((id) => !indexOf.has(id));
		expect(missing).toEqual([]);
		all.push(...messages);
	}
	return all;
}

/** Checks what the model was sent: the ancestors of the message that it was to answer, and nothing else. */
function checkConversations(messages: readonly ListedMessage[]): void {
	const byId = new Map(messages.map((message) => [message.id, message]));
	const byText = new Map(messages.filter(({ role }) => role === "user").map((one) => [one.text, one]));
	const branchOf = (id: string | null): readonly string[] => {
		const texts: string[] = [];
		for (let message = byId.get(id ?? ""); message !== undefined; message = byId.get(message.parent_id ?? ""))
			texts.unshift(message.text);
		return texts.slice(-MAX_MESSAGES).filter(Boolean);
	};
	let checked = 0;
	for (const { body } of vendor.requests) {
		const conversation = conversationOf(body);
		const question = byText.get(conversation.at(-1) ?? "");
		if (question?.text.startsWith("Message ") !== true) continue;
		expect(conversation).toEqual(branchOf(question.id));
		checked += 1;
	}
	expect(checked).toBeGreaterThan(kills);
}
