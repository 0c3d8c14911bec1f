import type { Random } from "../random.ts";
import { type Api, NoResponseError, type StreamedEvent } from "../service/api.ts";

/** Message of a thread as the service shows it, as far as it is checked. */
export interface ListedMessage {
	readonly id: string;
	readonly parent_id: string | null;
	readonly role: "user" | "assistant";
	readonly text: string;
	readonly status: string;
	readonly run_id?: string;
}

/** Acknowledgements of the service: they hold, whatever happens. */
export interface ThreadLedger {
	/** Answers that were started, by the thread. */
	readonly started: Map<string, Set<string>>;
	/** Answers that were completed, with their texts. */
	readonly completed: Map<string, string>;
	/** Number of the last message. */
	count: number;
}

/** Options of the work of one worker on one thread. */
export interface ThreadWorkload {
	readonly api: Api;
	readonly ledger: ThreadLedger;
	readonly thread: string;
	readonly knowledgeBase: string;
	readonly random: Random;
	readonly signal: AbortSignal;
	readonly onDone: () => void;
}

export const listMessages = async (api: Api, thread: string): Promise<readonly ListedMessage[]> =>
	(await api.get<{ messages: ListedMessage[] }>(`/v1/threads/${thread}/messages`)).messages;

/** Sends, edits, regenerates, interrupts and cancels until the service is killed. */
export async function runThreadWorkload(workload: ThreadWorkload): Promise<void> {
	const { random, signal, onDone } = workload;
	const steps = [send, send, send, edit, regenerate, startInBackground, ask, cancel];
	try {
		while (!signal.aborted) {
			await random.pick(steps)?.(workload);
			onDone();
		}
	} catch (error) {
		if (!(error instanceof NoResponseError)) throw error;
	}
}

const RUN = "/v1/agents/desk/run";

type Result = Partial<{ status: string; output: string; message_id: string }>;

async function send(workload: ThreadWorkload, place: object = {}): Promise<void> {
	const { api, ledger, thread, random } = workload;
	const if_active = random.pick(["queue", "queue", "queue", "interrupt"]);
	ledger.count += 1;
	const json = { input: `Message ${ledger.count}`, thread_id: thread, if_active, ...place };
	await follow(workload, json, api);
}

/** Starts a run as a stream, and records what is acknowledged. */
async function follow({ ledger, thread }: ThreadWorkload, json: object, api: Api): Promise<void> {
	let messageId = "";
	await api.stream(RUN, json, (event: StreamedEvent & Result & { readonly result?: Result }) => {
		if (event.type === "run.started") messageId = recordStart(ledger, thread, event.message_id);
		if (event.type === "run.completed") ledger.completed.set(messageId, event.result?.output ?? "");
	});
}

function recordStart({ started }: ThreadLedger, thread: string, messageId = ""): string {
	const all = started.get(thread) ?? new Set();
	started.set(thread, all.add(messageId));
	return messageId;
}

async function findAnswer({ api, thread, random }: ThreadWorkload): Promise<ListedMessage | undefined> {
	const messages = await listMessages(api, thread);
	return random.pick(messages.filter(({ role }) => role === "assistant"));
}

async function edit(workload: ThreadWorkload): Promise<void> {
	const answer = await findAnswer(workload);
	await send(workload, { parent_id: answer?.id ?? null });
}

async function regenerate(workload: ThreadWorkload): Promise<void> {
	const answer = await findAnswer(workload);
	if (answer === undefined) return;
	await follow(workload, { thread_id: workload.thread, regenerate_of: answer.id }, workload.api);
}

async function startInBackground({ api, ledger, thread }: ThreadWorkload): Promise<void> {
	ledger.count += 1;
	const json = { input: `Message ${ledger.count}`, thread_id: thread, background: true };
	const { message_id } = await api.post<Result>(RUN, json);
	recordStart(ledger, thread, message_id);
}

async function ask({ api, ledger, thread, knowledgeBase }: ThreadWorkload): Promise<void> {
	const json = {
		question: "When does the harbour open?",
		knowledge_base_ids: [knowledgeBase],
		thread_id: thread,
	};
	const { status, text } = await api.ask("POST", "/v1/ask", json);
	// Interrupted by another message.
	if (status === 409) return;
	const { answer, message_id } = JSON.parse(text) as { readonly answer: string; readonly message_id: string };
	recordStart(ledger, thread, message_id);
	ledger.completed.set(message_id, answer);
}

async function cancel(workload: ThreadWorkload): Promise<void> {
	const { run_id } = (await findAnswer(workload)) ?? {};
	if (run_id !== undefined) await workload.api.post(`/v1/runs/${run_id}/cancel`, {});
}
