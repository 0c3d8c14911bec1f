import type { ReceiptRow } from "@stemma/core";
import type { Cluster } from "./cluster.ts";

/** Writes besides runs, as they were acknowledged. */
export interface Writes {
	readonly knowledgeBase: string;
	/** Ids of documents by their word, which no other one has. */
	readonly documents: Map<string, string>;
	/** Client keys by their names. */
	readonly keys: Map<string, { readonly id: string; readonly client_key: string }>;
	/** Instructions of agents by their slugs. */
	readonly settings: Map<string, string>;
	/** Receipts of answers by the word of their question. */
	readonly answers: Map<string, readonly ReceiptRow[]>;
	/** Number of words so far. */
	words: number;
}

export const createWrites = (knowledgeBase: string): Writes => ({
	knowledgeBase,
	documents: new Map(),
	keys: new Map(),
	settings: new Map(),
	answers: new Map(),
	words: 0,
});

/** A word that no other text has; it ends in a digit, so that no stemming makes two words the same. */
function createWord(writes: Writes): string {
	writes.words += 1;
	return `zq${writes.words.toString(36)}x7`;
}

/** Sent again until it is acknowledged: its content makes it the same document. */
export async function uploadDocument(cluster: Cluster, writes: Writes): Promise<void> {
	const word = createWord(writes);
	const text = `# Page\n\nThe word of this page is ${word}, and no other page has it.`;
	const path = `/v1/knowledge-bases/${writes.knowledgeBase}/documents`;
	const { data } = await cluster.send((api) =>
		api.post<{ data: readonly { id: string }[] }>(path, { text, source: `${word}.md` }),
	);
	writes.documents.set(word, data[0]?.id ?? "");
}

/** A key whose response was lost was shown to nobody, and the same request is refused then. */
export async function createKey(cluster: Cluster, writes: Writes): Promise<void> {
	const name = createWord(writes);
	const headers = { "idempotency-key": name };
	const created = await cluster.send((api) =>
		api
			.post<{ id: string; client_key: string }>("/v1/client-keys", { name, native: true }, headers)
			.catch((error: unknown) => {
				if (!String(error).includes("already_created")) throw error;
				return undefined;
			}),
	);
	if (created !== undefined) writes.keys.set(name, created);
}

/** Instructions of an agent that no other worker changes meanwhile. */
export async function replaceSettings(cluster: Cluster, writes: Writes): Promise<void> {
	const instructions = createWord(writes);
	const slug = `settings-${instructions}`;
	const toGraph = (text: string) => ({ nodes: [{ id: "desk", kind: "coordinator", instructions: text }] });
	const headers = { "idempotency-key": slug };
	await cluster.send((api) => api.post("/v1/agents", { slug, graph: toGraph("first") }, headers));
	await cluster.send((api) => api.put(`/v1/agents/${slug}`, { graph: toGraph(instructions) }));
	writes.settings.set(slug, instructions);
}

export async function askQuestion(cluster: Cluster, writes: Writes): Promise<void> {
	const word = createWord(writes);
	const body = {
		question: `When does the harbour of ${word} open?`,
		knowledge_base_ids: [writes.knowledgeBase],
	};
	const { receipt } = await cluster.send((api) => api.post<{ receipt: ReceiptRow[] }>("/v1/ask", body));
	writes.answers.set(word, receipt);
}
