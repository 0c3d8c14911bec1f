import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reindex, SearchResult } from "@stemma/client";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendTo } from "../../test-support/send-request";
import { countStoredRows, findDamage } from "../../test-support/stored-rows";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import { fetchToken } from "../../test-support/test-deployment";

const script = fileURLToPath(new URL("../test-support/serve.mjs", import.meta.url));
const PASSAGE_COUNT = 700;
const BATCH_PASSAGES = 64;
/** Calls that are answered before each crash. */
const ANSWERED_CALLS = [0, 1, 3, 2];

let vendor: OpenAiSimulator;
let folder: string;
let kill: () => Promise<void> = async () => undefined;
beforeEach(async () => {
	vendor = await startOpenAiSimulator();
	folder = await mkdtemp(join(tmpdir(), "stemma-reindex-crash-"));
});
afterEach(async () => {
	await kill();
	await vendor.close();
	await rm(folder, { recursive: true });
});

/** Serves the data folder with an embedding model, in a process that {@link kill} ends. */
async function serve(model: string) {
	const embeddings = { base_url: vendor.baseUrl, model, credential: { value: "sk-of-the-host" } };
	const args = [script, folder, JSON.stringify({ embeddings })];
	const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
	kill = async () => {
		kill = async () => undefined;
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	const [line] = await once(child.stdout, "data");
	const { url, credentials } = JSON.parse(String(line));
	return sendTo(fetch, await fetchToken(sendTo(fetch, undefined, url), credentials), url);
}

/** Lists the texts that a model was sent, answered or not. */
const listTexts = (model: string): string[] =>
	vendor.requests.flatMap(({ body }) => (body?.model === model ? [body.input].flat().map(String) : []));

it("a move that is killed again and again ends with a vector of each passage, and pays for few of them twice", async () => {
	const first = await serve("model-one");
	const { id } = await getBody<{ id: string }>(
		first("POST", "/v1/knowledge-bases", { json: { name: "Rules" } }),
	);
	const text = Array.from({ length: PASSAGE_COUNT }, (_, n) => `## Rule ${n}\n\n${`topic${n} `.repeat(60)}`);
	await getBody(first("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text: text.join("\n\n") } }));
	await waitUntilIndexed(first, id);
	await kill();

	const search = async (send: typeof first) =>
		getBody<SearchResult>(
			send("POST", "/v1/search", { json: { query: "topic7", knowledge_base_ids: [id], top_k: 1 } }),
		);
	for (const [crash, answered] of ANSWERED_CALLS.entries()) {
		for (let call = 0; call < answered; call++) vendor.enqueue({ kind: "embeddings" });
		vendor.enqueue({ kind: "silence" });
		const before = vendor.requests.length;
		const send = await serve("model-two");
		if (crash === 0)
			expect(await send("POST", `/v1/knowledge-bases/${id}/reindex`, { json: {} })).toMatchObject({
				status: 202,
			});
		await vi.waitFor(() => expect(vendor.requests.length).toBe(before + answered + 1), { timeout: 60_000 });
		// Words find it, as no question gets a vector of the former model any more.
		const { receipt, passages } = await search(send);
		expect([receipt, passages.length]).toEqual([[], 1]);
		await kill();
	}

	const send = await serve("model-two");
	const moved = await vi.waitFor(
		async () => {
			const reindex = await getBody<Reindex>(send("GET", `/v1/knowledge-bases/${id}/reindex`));
			expect(reindex.status).toBe("completed");
			return reindex;
		},
		{ timeout: 60_000, interval: 50 },
	);
	const total = moved.passages.total;
	expect(total).toBeGreaterThanOrEqual(PASSAGE_COUNT);
	expect(moved).toMatchObject({ from: { model: "model-two" }, passages: { done: total, skipped: 0 } });
	const texts = listTexts("model-two");
	expect(new Set(texts).size).toBe(total);
	expect(texts.length).toBeLessThanOrEqual(total + ANSWERED_CALLS.length * BATCH_PASSAGES);
	const { receipt, passages } = await search(send);
	expect(receipt).toMatchObject([{ stage: "embed", model: "model-two" }]);
	expect(passages[0]?.text).toContain("topic7 ");
	await kill();

	const rows = Object.entries(countStoredRows(folder)).filter(([name]) =>
		/ passage_(vectors|codes)/.test(name),
	);
	expect(rows.map(([, count]) => count)).toEqual([total, total, total, total]);
	expect(findDamage(folder)).toEqual([]);
});
