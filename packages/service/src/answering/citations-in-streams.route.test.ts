import type { Answer, RunResult } from "@stemma/client";
import type { Citation } from "@stemma/core";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestService, type TestService } from "../http/test-support/test-service";

let vendor: OpenAiSimulator;
let service: TestService;
let knowledgeBase: string;

const FERRY = "The ferry leaves at nine. A ticket for the ferry costs 12 euros.";
const TABLE =
	"| Ferry | Price | Leaves |\n|---|---|---|\n| Ferry to Lund | 12 euros | 9:30 |\n| Ferry to Ystad | 18 euros | 14:00 |";
const QUESTION = "When does the ferry leave, and what is the price?";

beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	service = await startTestService({
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "gpt-test" },
		},
		chat: "main",
	});
	knowledgeBase = (await service.send("/v1/knowledge-bases", { json: { name: "Harbour" } })).body.id;
	for (const text of [FERRY, TABLE])
		await service.send(`/v1/knowledge-bases/${knowledgeBase}/documents`, { json: { text } });
	await vi.waitFor(async () => {
		const { body } = await service.send(`/v1/knowledge-bases/${knowledgeBase}`);
		expect(body.documents.ready).toBe(2);
	}, 30_000);
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "harbour", kind: "knowledge", knowledgeBases: [knowledgeBase] },
		],
		edges: [{ from: "desk", to: "harbour", mode: "before" }],
	};
	await service.send("/v1/agents", { json: { slug: "desk", graph } });
});
afterAll(async () => {
	await service.end();
	await vendor.close();
});

/** Answer of a model with the numbers of both passages, as the tests read it. */
interface Cited {
	readonly text: string;
	readonly citations: readonly Citation[];
	readonly unknown: readonly number[] | undefined;
	/** Text as it was streamed. */
	readonly streamed?: string;
}

const json = { question: QUESTION, knowledge_base_ids: [] as string[] };

async function findNumbers(): Promise<{ readonly ferry: number; readonly table: number }> {
	vendor.enqueue({ kind: "reply", text: "x" });
	const { body } = await service.send("/v1/ask", { json: { ...json, knowledge_base_ids: [knowledgeBase] } });
	const { passages } = body as Answer;
	const toNumber = (part: string): number => 1 + passages.findIndex(({ text }) => text.includes(part));
	return { ferry: toNumber("leaves at nine"), table: toNumber("Ystad") };
}

/** Texts of the events of a stream, put together; `text.reset` begins again. */
function readStreamedText(events: string): string {
	let text = "";
	for (const line of events.split("\n").filter((one) => one.startsWith("data: "))) {
		const event: { type?: string; text?: string } = JSON.parse(line.slice("data: ".length));
		if (event.type === "text.reset") text = "";
		if (event.type === "text.delta") text += event.text ?? "";
	}
	return text;
}

const readLast = <Result>(events: string, key: string): Result => {
	const lines = events.split("\n").filter((line) => line.startsWith("data: ") && line.includes(`"${key}":{`));
	return JSON.parse((lines.at(-1) ?? "").slice("data: ".length))[key];
};

const toCited = ({ answer, citations, unknown_citations }: Answer): Cited => ({
	text: answer,
	citations,
	unknown: unknown_citations,
});

/** Requests for an answer, by name; the model replies with the text. */
const REQUESTS: Readonly<Record<string, (reply: string) => Promise<Cited>>> = {
	async ask(reply) {
		vendor.enqueue({ kind: "reply", text: reply });
		const { body } = await service.send("/v1/ask", {
			json: { ...json, knowledge_base_ids: [knowledgeBase] },
		});
		return toCited(body);
	},
	async "ask, streamed"(reply) {
		vendor.enqueue({ kind: "reply", text: reply });
		const headers = { accept: "text/event-stream" };
		const { body } = await service.send("/v1/ask", {
			json: { ...json, knowledge_base_ids: [knowledgeBase] },
			headers,
		});
		return { ...toCited(readLast<Answer>(body, "answer")), streamed: readStreamedText(body) };
	},
	async "a run, streamed"(reply) {
		vendor.enqueue({ kind: "reply", text: reply });
		const { body } = await service.send("/v1/agents/desk/run", { json: { input: QUESTION, stream: true } });
		const { output, citations, unknown_citations: unknown } = readLast<RunResult>(body, "result");
		return { text: String(output), citations, unknown, streamed: readStreamedText(body) };
	},
	async "the tool ask"(reply) {
		vendor.enqueue({ kind: "reply", text: reply });
		const { body } = await service.send("/mcp", {
			json: {
				jsonrpc: "2.0",
				id: 1,
				method: "tools/call",
				params: { name: "ask", arguments: { question: QUESTION, knowledge_base_ids: [knowledgeBase] } },
			},
			headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
		});
		const message =
			typeof body === "string" ? readLast<{ structuredContent: Answer }>(body, "result") : body.result;
		return toCited(message.structuredContent);
	},
};

it.each(Object.entries(REQUESTS))("has the right support and numbers in %s", async (_, answer) => {
	const { ferry, table } = await findNumbers();
	const reply =
		`The ferry leaves at nine [${ferry}]. The price of the Ferry to Lund is 12 euros [${table}].\n\n` +
		`| Ferry | Price |\n|---|---|\n| Ferry to Lund | 12 euros [${table}] |\n\n` +
		`A ticket for the ferry costs 12 euros [${ferry}][7]. See [77] and \`rows[0]\`.`;
	const { text, citations, unknown, streamed = text } = await answer(reply);
	expect(text).toBe(
		"The ferry leaves at nine [1]. The price of the Ferry to Lund is 12 euros [2].\n\n" +
			"| Ferry | Price |\n|---|---|\n| Ferry to Lund | 12 euros [2] |\n\n" +
			"A ticket for the ferry costs 12 euros [1]. See and `rows[0]`.",
	);
	expect(streamed).toBe(text);
	expect(unknown).toEqual([7, 77]);
	expect(citations.map(({ n, support }) => [n, support])).toEqual([
		[1, "quoted"],
		[2, "supported"],
	]);
});

it.each(Object.entries(REQUESTS))("says which claims are wrong in %s", async (_, answer) => {
	const { ferry, table } = await findNumbers();
	const { citations } = await answer(
		`The ferry leaves at ten [${ferry}]. The Ferry to Lund costs 18 euros [${table}]. The Ferry to Ystad costs 18 euros [${table}].`,
	);
	expect(citations).toMatchObject([
		{ n: 1, support: "weak", weak_claims: ["The ferry leaves at ten"] },
		{ n: 2, support: "weak", weak_claims: ["The Ferry to Lund costs 18 euros"] },
	]);
});

// The vendor cuts its text into pieces of seven characters.
it.each([0, 1, 2, 3, 4, 5, 6])(
	"renumbers marks wherever they are cut, %i characters later",
	async (count) => {
		const { ferry, table } = await findNumbers();
		for (const name of ["ask, streamed", "a run, streamed"]) {
			const reply = `${"x".repeat(count)} Two [${table}][${ferry}], three【${ferry}】, four [${table}, 99] and five [^98].`;
			const { text, streamed, unknown } = (await REQUESTS[name]?.(reply)) ?? expect.unreachable();
			expect(streamed).toBe(`${"x".repeat(count)} Two [1][2], three[2], four [1] and five.`);
			expect([text, unknown]).toEqual([streamed, [99, 98]]);
		}
	},
);
