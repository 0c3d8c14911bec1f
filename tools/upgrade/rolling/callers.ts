import { setTimeout as wait } from "node:timers/promises";
import type { Stemma } from "@stemma/client";

/** What callers have done, as it was acknowledged. */
export interface Acknowledged {
	/** Documents by their word, which no other one has. */
	readonly documents: Map<string, string>;
	readonly answers: unknown[];
	/** Runs that were started, with the order that each one is for. */
	readonly runs: Map<string, { readonly order: string; readonly output: unknown; readonly calls: number }>;
	/** Client keys by their ids. */
	readonly keys: Map<string, string>;
	/** Instructions of the agent `changing`, the last ones at the end. */
	readonly instructions: string[];
}

export interface CallerOptions {
	readonly stemma: Stemma;
	readonly knowledgeBase: string;
	readonly acknowledged: Acknowledged;
	readonly signal: AbortSignal;
	/** Number of things that were done. */
	count: number;
	/** Number of those that are under way. */
	inFlight: number;
	/** True: nothing new begins. */
	isHeld: boolean;
}

export const createAcknowledged = (): Acknowledged => ({
	documents: new Map(),
	answers: [],
	runs: new Map(),
	keys: new Map(),
	instructions: [],
});

/** Calls one after the other until the load ends; the client hides what its retries may hide, and nothing else is caught. */
export async function callUntilEnd(options: CallerOptions, call: Caller): Promise<void> {
	while (!options.signal.aborted) {
		if (!options.isHeld) {
			options.count += 1;
			await callOnce(options, call, `x${options.count.toString(36)}q7`);
		}
		await wait(20);
	}
}

async function callOnce(options: CallerOptions, call: Caller, word: string): Promise<void> {
	options.inFlight += 1;
	try {
		await call(options, word);
	} catch (error) {
		throw new Error(`${call.name} ${word}: ${error}`, { cause: error });
	} finally {
		options.inFlight -= 1;
	}
}

/** Does something while nothing is under way. */
export async function whileHeld(options: CallerOptions, work: () => Promise<void>): Promise<void> {
	options.isHeld = true;
	try {
		while (options.inFlight > 0 && !options.signal.aborted) await wait(20);
		await work();
	} finally {
		options.isHeld = false;
	}
}

/** @param word - one that no other call has. */
type Caller = (options: CallerOptions, word: string) => Promise<void>;

const upload: Caller = async ({ stemma, knowledgeBase, acknowledged }, word) => {
	const file = new TextEncoder().encode(
		`# Page\n\nThe word of this page is ${word}, and no other page has it.`,
	);
	const { data } = await stemma.knowledge.documents.upload(knowledgeBase, { file, name: `${word}.md` });
	acknowledged.documents.set(word, data[0]?.id ?? "");
};

const ask: Caller = async ({ stemma, knowledgeBase, acknowledged }) => {
	await stemma.search({ query: "harbour", knowledge_base_ids: [knowledgeBase] });
	const { answer } = await stemma.ask({
		question: "When does it open?",
		knowledge_base_ids: [knowledgeBase],
	});
	acknowledged.answers.push(answer);
};

/** Its stream is longer than a restart takes to begin, so that some of them are rejoined on the other instance. */
const streamRun: Caller = async ({ stemma, acknowledged }, word) => {
	const stream = stemma.agents.stream("plain", { input: word });
	const { output, run_id, status } = await stream.result();
	if (status !== "completed") throw new Error(`${run_id} is ${status}.`);
	acknowledged.runs.set(run_id, { order: word, output, calls: 0 });
};

/** Decides on its approval, and follows the run to its end. */
const approveRun: Caller = async ({ stemma, acknowledged }, word) => {
	const { run_id } = await stemma.agents.start("guarded", { input: word });
	const paused = await stemma.runs.stream(run_id).result();
	const [approval] = paused.approvals ?? [];
	if (approval === undefined) throw new Error(`${run_id} is ${paused.status}, and waits for no approval.`);
	await stemma.runs.decide(run_id, approval.id, { decision: "approve" });
	for (;;) {
		const { status, result } = await stemma.runs.get(run_id);
		if (status === "completed") {
			acknowledged.runs.set(run_id, { order: word, output: result?.output, calls: 1 });
			return;
		}
		if (status !== "running" && status !== "paused") throw new Error(`${run_id} is ${status}.`);
		await wait(100);
	}
};

const createKey: Caller = async ({ stemma, acknowledged }, word) => {
	const { id, client_key } = await stemma.clientKeys.create({ name: word, native: true });
	acknowledged.keys.set(id, client_key);
};

const changeSettings: Caller = async ({ stemma, acknowledged }, word) => {
	await stemma.agents.replace("changing", {
		graph: { nodes: [{ id: "desk", kind: "coordinator", instructions: word }] },
	});
	acknowledged.instructions.push(word);
	await stemma.workspaceSecrets.set("crm", { server_url: "https://crm.example", value: word });
};

/** By what they do; two of those that stream. */
export const callers: readonly Caller[] = [
	upload,
	ask,
	streamRun,
	streamRun,
	approveRun,
	createKey,
	changeSettings,
];
