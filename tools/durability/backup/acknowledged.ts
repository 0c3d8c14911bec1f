import { expect } from "vitest";
import { fetchToken } from "../service/api.ts";
import { type CheckContext, listDocuments } from "../service/check.ts";
import { findDocuments } from "../service/check-content.ts";
import type { Creation, Ledger, RunEntry, SourceEntry } from "../service/ledger.ts";

/** What was acknowledged before a backup began. */
export interface Acknowledged {
	/** Ids of documents, by their source. */
	readonly sources: ReadonlyMap<string, string>;
	/** Ids of documents without a source, by their word. */
	readonly unsourced: ReadonlyMap<string, string>;
	readonly creations: readonly Creation[];
	/** Runs that had completed. */
	readonly runs: readonly RunEntry[];
}

/** Copies what a ledger says at this moment. */
export function copyAcknowledged({ sources, unsourced, creations, runs }: Ledger): Acknowledged {
	return {
		sources: new Map([...sources].flatMap(([source, { id }]) => (id === undefined ? [] : [[source, id]]))),
		unsourced: new Map(
			[...unsourced].flatMap(([word, { id, deletion }]) =>
				id === undefined || deletion !== undefined ? [] : [[word, id]],
			),
		),
		creations: creations.filter(({ created }) => created !== undefined),
		runs: runs
			.filter(({ isCompleted }) => isCompleted)
			.map(({ id, events }) => ({ id, events: [...events], isCompleted: true })),
	};
}

/**
 * Asserts that all of it is in a service that was restored.
 *
 * @param ledger - as it is at the end: what was deleted or replaced while the backup was made may be so in it.
 */
export async function checkRestored(
	context: CheckContext,
	acknowledged: Acknowledged,
	ledger: Ledger,
): Promise<void> {
	await checkDocuments(context, acknowledged, ledger);
	for (const creation of acknowledged.creations) await checkCreation(context, creation);
	for (const run of acknowledged.runs) await checkRun(context, run);
}

async function checkDocuments(
	context: CheckContext,
	{ sources, unsourced }: Acknowledged,
	ledger: Ledger,
): Promise<void> {
	const documents = new Map((await listDocuments(context)).map((document) => [document.id, document]));
	for (const [source, id] of sources) {
		expect(documents.get(id)?.source, source).toBe(source);
		const words = listWords(ledger.sources.get(source));
		const found = await Promise.all(words.map((word) => findDocuments(context, word)));
		expect(found.flat(), `${source}: ${words}`).toEqual([id]);
	}
	for (const [word, id] of unsourced) {
		if (ledger.unsourced.get(word)?.deletion !== undefined) continue;
		expect(documents.has(id), word).toBe(true);
		expect(await findDocuments(context, word), word).toEqual([id]);
	}
}

/** The words of all contents that a source has ever had. */
const listWords = (entry: SourceEntry | undefined): readonly string[] =>
	entry === undefined
		? []
		: [...entry.old, ...entry.pending, ...(entry.word === undefined ? [] : [entry.word])];

async function checkCreation({ api, url }: CheckContext, { kind, created }: Creation): Promise<void> {
	expect(await api.status("GET", `/v1/${kind}/${created?.id}`), `${kind} ${created?.id}`).toBe(200);
	if (created?.client_secret !== undefined)
		await fetchToken(url, { client_id: created.id, client_secret: created.client_secret });
}

interface EventPage {
	readonly data: readonly { readonly seq: number; readonly type: string; readonly run_token?: string }[];
}

async function checkRun({ api }: CheckContext, { id, events }: RunEntry): Promise<void> {
	expect(await api.get<{ status: string }>(`/v1/runs/${id}`), id).toMatchObject({ status: "completed" });
	const { data } = await api.get<EventPage>(`/v1/runs/${id}/events?after=0`);
	if (events.length > 0) expect(data.map(({ run_token: _, ...event }) => event)).toEqual(events);
}
