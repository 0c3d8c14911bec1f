import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";
import { type Api, NoResponseError } from "./api.ts";
import type { Creation, CreationKind, Ledger, RunEntry } from "./ledger.ts";

/** What one worker needs. */
export interface Workload {
	readonly api: Api;
	readonly ledger: Ledger;
	readonly random: Random;
	/** Each worker has sources of its own. */
	readonly worker: number;
	readonly knowledgeBase: string;
	readonly agent: string;
	readonly signal: AbortSignal;
	/** Called after each thing that was done. */
	readonly onDone: () => void;
}

/** Does one thing after another until the service is gone. */
export async function runWorkload(work: Workload): Promise<void> {
	try {
		while (!work.signal.aborted) {
			await (work.random.pick(TASKS) ?? putSource)(work);
			work.onDone();
			await wait(work.random.between(0, 10));
		}
	} catch (error) {
		if (!(error instanceof NoResponseError)) throw error;
	}
}

const textWith = (word: string): string =>
	`# Page\n\nThe word of this page is ${word}, and no other page has it.`;

type Documents = { readonly data: readonly { readonly id: string }[] };

/** A document, or another content for one. */
async function putSource({ api, ledger, random, worker, knowledgeBase }: Workload): Promise<void> {
	const source = `worker-${worker}/${random.between(0, 30)}.md`;
	const entry = ledger.sources.get(source) ?? { pending: [], old: [] };
	ledger.sources.set(source, entry);
	const word = ledger.newWord();
	entry.pending.push(word);
	const { data } = await api.post<Documents>(`/v1/knowledge-bases/${knowledgeBase}/documents`, {
		text: textWith(word),
		source,
	});
	if (entry.id !== undefined && entry.id !== data[0]?.id) throw new Error(`${source} has two ids.`);
	entry.id = data[0]?.id ?? "";
	entry.old.push(
		...entry.pending.filter((other) => other !== word),
		...(entry.word === undefined ? [] : [entry.word]),
	);
	entry.word = word;
	entry.pending = [];
}

/** A document without a source: new, or one that was sent before. */
async function putUnsourced({ api, ledger, random, knowledgeBase }: Workload): Promise<void> {
	const again = random.next() < 0.3 ? random.pick([...ledger.unsourced.keys()]) : undefined;
	const word = again ?? ledger.newWord();
	const entry = ledger.unsourced.get(word) ?? { sending: 0 };
	if (entry.deletion !== undefined) return;
	ledger.unsourced.set(word, entry);
	const path = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	entry.sending += 1;
	const { data } = await api
		.post<Documents>(path, { text: textWith(word) })
		.finally(() => (entry.sending -= 1));
	if (entry.id !== undefined && entry.id !== data[0]?.id)
		throw new Error(`The document of ${word} has two ids.`);
	entry.id = data[0]?.id ?? "";
}

async function deleteUnsourced({ api, ledger, random, knowledgeBase }: Workload): Promise<void> {
	const candidates = [...ledger.unsourced.values()].filter(
		({ id, deletion, sending }) => id !== undefined && deletion === undefined && sending === 0,
	);
	const entry = random.pick(candidates);
	if (entry === undefined) return;
	entry.deletion = "asked";
	await api.delete(`/v1/knowledge-bases/${knowledgeBase}/documents/${entry.id}`);
	entry.deletion = "acknowledged";
}

const CREATIONS: Readonly<Record<CreationKind, (name: string) => unknown>> = {
	clients: (name) => ({ name, scopes: ["ask"] }),
	"client-keys": (name) => ({ name, native: true }),
	"knowledge-bases": (name) => ({ name }),
	agents: (name) => ({ graph: graphWith(name), slug: name }),
};

const graphWith = (instructions: string) => ({ nodes: [{ id: "desk", kind: "coordinator", instructions }] });

async function createResource({ api, ledger, random }: Workload): Promise<void> {
	const kind = random.pick(["clients", "client-keys", "knowledge-bases", "agents"] as const) ?? "clients";
	const name = ledger.newWord();
	const creation: Creation = { kind, key: name, body: CREATIONS[kind](name) };
	ledger.creations.push(creation);
	await sendCreation(api, creation);
	if (kind === "agents" && creation.created !== undefined)
		ledger.agents.push({ id: creation.created.id, instructions: name, pending: [] });
}

/** Sends the request of a creation, for the first time or again. */
export async function sendCreation(api: Api, creation: Creation): Promise<void> {
	const { kind, key, body } = creation;
	creation.created = await api.post(`/v1/${kind}`, body, { "idempotency-key": key });
}

async function replaceAgent({ api, ledger, random }: Workload): Promise<void> {
	const entry = random.pick(ledger.agents);
	if (entry === undefined || entry.pending.length > 0) return;
	const instructions = ledger.newWord();
	entry.pending.push(instructions);
	await api.put(`/v1/agents/${entry.id}`, { graph: graphWith(instructions) });
	entry.instructions = instructions;
	entry.pending.length = 0;
}

async function streamRun({ api, ledger, agent }: Workload): Promise<void> {
	let entry: RunEntry | undefined;
	await api.stream(`/v1/agents/${agent}/run`, { input: "When?", stream: true }, (event) => {
		if (entry === undefined) {
			entry = { id: event.run_id, events: [], isCompleted: false };
			ledger.runs.push(entry);
		}
		const { run_token: _, ...kept } = event;
		entry.events.push(kept);
		entry.isCompleted ||= event.type === "run.completed";
	});
}

async function startRun({ api, ledger, agent, random }: Workload): Promise<void> {
	const { id } = await api.post<{ id: string }>(`/v1/agents/${agent}/run`, {
		input: "When?",
		background: true,
	});
	const entry: RunEntry = { id, events: [], isCompleted: false };
	ledger.runs.push(entry);
	await wait(random.between(0, 300));
	entry.isCompleted = (await api.get<{ status: string }>(`/v1/runs/${id}`)).status === "completed";
}

/** By how often they are done. */
const TASKS = [
	...[putSource, putSource, putSource, putSource],
	...[putUnsourced, putUnsourced, putUnsourced],
	...[deleteUnsourced],
	...[createResource, createResource],
	...[replaceAgent],
	...[streamRun, startRun],
];
