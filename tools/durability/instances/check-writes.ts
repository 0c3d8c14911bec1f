import { expect } from "vitest";
import type { CountingVendor } from "../receipts.ts";
import type { Api } from "../service/api.ts";
import type { Cluster } from "./cluster.ts";
import type { Writes } from "./write-load.ts";

/** Far longer than it ever takes: a machine may be busy. */
const READY = { timeout: 120_000, interval: 500 };

interface Page<Item> {
	readonly data: readonly Item[];
	readonly next: string | null;
}

/** All that was acknowledged is there, once. */
export async function checkWrites(cluster: Cluster, writes: Writes, vendor: CountingVendor): Promise<void> {
	checkAnswers(writes, vendor);
	await checkDocuments(cluster, writes);
	await checkKeys(cluster, writes);
	for (const [slug, instructions] of writes.settings) {
		const { graph } = await cluster.send((api) =>
			api.get<{ graph: { nodes: readonly { instructions: string }[] } }>(`/v1/agents/${slug}`),
		);
		expect([slug, graph.nodes[0]?.instructions]).toEqual([slug, instructions]);
	}
}

async function checkDocuments(cluster: Cluster, { knowledgeBase, documents }: Writes): Promise<void> {
	const path = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	const list = () => listAll<{ id: string; source: string; status: string }>(cluster, path);
	await expect.poll(async () => (await list()).filter(({ status }) => status !== "ready"), READY).toEqual([]);
	const stored = new Map((await list()).map(({ id, source }) => [source, id]));
	expect(stored.size).toBe((await list()).length);
	for (const [word, id] of documents) {
		expect([word, stored.get(`${word}.md`)]).toEqual([word, id]);
		const body = { query: word, knowledge_base_ids: [knowledgeBase] };
		const { passages } = await cluster.send((api) =>
			api.post<{ passages: { document_id: string; text: string }[] }>("/v1/search", body),
		);
		const found = passages.filter(({ text }) => text.includes(word)).map(({ document_id }) => document_id);
		expect([word, found]).toEqual([word, [id]]);
	}
}

/**
 * The vendor has answered the call on the receipt of an answer, with these tokens. A question may be scored, too, which the
 * vendor answers with tokens of its own.
 */
function checkAnswers({ answers }: Writes, vendor: CountingVendor): void {
	for (const [word, receipt] of answers) {
		const requests = vendor.requests.filter(({ body }) =>
			JSON.stringify(body ?? "").includes(`${word} open`),
		);
		const rows = receipt.filter(({ stage }) => stage === "answer");
		const { exact, estimated, invented } = vendor.compare(rows, requests);
		expect([word, exact.length, estimated, invented]).toEqual([word, 1, 0, []]);
		expect([word, receipt.length <= requests.length]).toEqual([word, true]);
	}
}

async function checkKeys(cluster: Cluster, { keys }: Writes): Promise<void> {
	const stored = await listAll<{ id: string; name: string }>(cluster, "/v1/client-keys");
	expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
	const ids = new Set(stored.map(({ id }) => id));
	for (const [name, { id, client_key }] of keys) {
		expect([name, ids.has(id)]).toEqual([name, true]);
		// Let in, and there is no such run.
		const status = await cluster.send((api) => api.status("GET", "/v1/runs/run_none", client_key));
		expect([name, status]).toEqual([name, 404]);
	}
}

async function listAll<Item>(cluster: Cluster, path: string): Promise<readonly Item[]> {
	const items: Item[] = [];
	let after = "";
	for (;;) {
		const page = await cluster.send((api: Api) => api.get<Page<Item>>(`${path}?limit=100${after}`));
		items.push(...page.data);
		if (page.next === null) return items;
		after = `&after=${page.next}`;
	}
}
