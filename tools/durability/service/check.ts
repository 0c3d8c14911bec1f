import { expect } from "vitest";
import { type Api, fetchToken, type StreamedEvent, UnexpectedResponseError } from "./api.ts";
import type { Creation, Ledger, RunEntry } from "./ledger.ts";
import { sendCreation } from "./workload.ts";

/** Runs that a kill has cut off go on with what they wait for; a machine may be busy. */
const RESUMED = { timeout: 60_000, interval: 200 };

/** Where to look. */
export interface CheckContext {
	readonly url: string;
	readonly api: Api;
	readonly knowledgeBase: string;
}

export interface StoredDocument {
	readonly id: string;
	readonly source: string | null;
	readonly content_sha256: string;
	readonly status: string;
	readonly error: unknown;
	readonly passage_count: number;
}

interface Page<Item> {
	readonly data: readonly Item[];
	readonly next: string | null;
}

async function listAll<Item>({ api }: CheckContext, path: string): Promise<Item[]> {
	const items: Item[] = [];
	let after = "";
	for (;;) {
		const { data, next } = await api.get<Page<Item>>(`${path}?limit=100${after}`);
		items.push(...data);
		if (next === null) return items;
		after = `&after=${next}`;
	}
}

export const listDocuments = (context: CheckContext): Promise<StoredDocument[]> =>
	listAll(context, `/v1/knowledge-bases/${context.knowledgeBase}/documents`);

/** Right after a start: all that was acknowledged is there, once. */
export async function checkAcknowledged(context: CheckContext, ledger: Ledger): Promise<void> {
	await checkDocuments(context, ledger);
	await checkRuns(context, ledger);
	await checkAgents(context, ledger);
	for (const creation of ledger.creations) await checkCreation(context, creation);
}

async function checkDocuments(context: CheckContext, ledger: Ledger): Promise<void> {
	const documents = await listDocuments(context);
	const ids = new Set(documents.map(({ id }) => id));
	expect(ids.size).toBe(documents.length);
	const sources = documents.flatMap(({ source }) => source ?? []);
	expect(new Set(sources).size).toBe(sources.length);
	const contents = documents
		.filter(({ source }) => source === null)
		.map((document) => document.content_sha256);
	expect(new Set(contents).size).toBe(contents.length);
	const acknowledged = [
		...ledger.sources.values(),
		...[...ledger.unsourced.values()].filter(({ deletion }) => !deletion),
	];
	const lost = acknowledged.flatMap(({ id }) => (id === undefined || ids.has(id) ? [] : [id]));
	expect(lost, "acknowledged documents that are gone").toEqual([]);
	const deleted = [...ledger.unsourced.values()].filter(({ deletion }) => deletion === "acknowledged");
	const back = deleted.flatMap(({ id }) => (id !== undefined && ids.has(id) ? [id] : []));
	expect(back, "deleted documents that are back").toEqual([]);
}

async function checkRuns(context: CheckContext, ledger: Ledger): Promise<void> {
	const listRunning = async () => (await context.api.get<Page<unknown>>("/v1/runs?status=running")).data;
	// Those that the kill has cut off are resumed.
	await expect.poll(listRunning, { ...RESUMED, message: "runs that nobody ended" }).toEqual([]);
	for (const entry of ledger.runs.filter(({ isChecked }) => isChecked === undefined)) {
		await checkRun(context, entry);
		entry.isChecked = true;
	}
}

interface RunRecord {
	readonly status: string;
	readonly last_seq: number;
	readonly result?: { readonly status: string; readonly error?: { readonly code: string } };
}

async function checkRun({ api }: CheckContext, { id, events: seen, isCompleted }: RunEntry): Promise<void> {
	const record = await api.get<RunRecord>(`/v1/runs/${id}`);
	const events = await readEvents(api, id);
	const message = `${id}: ${JSON.stringify(record)}`;
	expect(
		events.map(({ seq }) => seq),
		message,
	).toEqual(events.map((_, index) => index + 1));
	expect(events.length, message).toBe(record.last_seq);
	expect(events.slice(0, seen.length), `${message}: what was streamed is what was kept`).toEqual(seen);
	expect(record.result?.status, message).toBe(record.status);
	if (isCompleted) expect(record.status, message).toBe("completed");
	if (record.status !== "completed")
		expect(record, message).toMatchObject({ status: "failed", result: { error: { code: "interrupted" } } });
	expect(events.at(-1)?.type, message).toBe(`run.${record.status}`);
}

async function readEvents(api: Api, id: string): Promise<StreamedEvent[]> {
	const events: StreamedEvent[] = [];
	for (;;) {
		const page = await api.get<{ data: StreamedEvent[]; done: boolean }>(
			`/v1/runs/${id}/events?after=${events.at(-1)?.seq ?? 0}`,
		);
		events.push(...page.data.map(({ run_token: _, ...event }) => event));
		if (page.done || page.data.length === 0) return events;
	}
}

async function checkAgents({ api }: CheckContext, { agents }: Ledger): Promise<void> {
	for (const entry of agents) {
		const { graph } = await api.get<{ graph: { nodes: { instructions: string }[] } }>(
			`/v1/agents/${entry.id}`,
		);
		const instructions = graph.nodes[0]?.instructions ?? "";
		expect([entry.instructions, ...entry.pending]).toContain(instructions);
		entry.instructions = instructions;
		entry.pending.length = 0;
	}
}

/** What was acknowledged is there; what was not is asked for again with the same key, and made once. */
async function checkCreation(context: CheckContext, creation: Creation): Promise<void> {
	if (creation.isChecked) return;
	if (creation.created === undefined) await retryCreation(context, creation);
	else await checkCreated(context, creation.kind, creation.created);
	creation.isChecked = true;
}

async function retryCreation(context: CheckContext, creation: Creation): Promise<void> {
	try {
		await sendCreation(context.api, creation);
	} catch (error) {
		// Its secret was shown to nobody, or to the request that was cut off.
		if (!(error instanceof UnexpectedResponseError && error.message.includes("already_created"))) throw error;
	}
	const all = await listAll<{ name: string | null; slug?: string }>(context, `/v1/${creation.kind}`);
	const same = all.filter(({ name, slug }) => (slug ?? name) === creation.key);
	expect(same, `${creation.kind} of one Idempotency-Key`).toHaveLength(1);
}

async function checkCreated(
	{ api, url }: CheckContext,
	kind: string,
	created: NonNullable<Creation["created"]>,
): Promise<void> {
	const { id, client_secret, client_key } = created;
	expect(await api.status("GET", `/v1/${kind}/${id}`), `${kind} ${id}`).toBe(200);
	if (client_secret !== undefined) await fetchToken(url, { client_id: id, client_secret });
	// Let in, and there is no such run.
	if (client_key !== undefined) expect(await api.status("GET", "/v1/runs/run_none", client_key)).toBe(404);
}
