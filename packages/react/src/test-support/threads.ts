import type { ThreadMessage } from "@stemma/client";
import type { ServedRun } from "./service";

/** Fields of a request that answers a message of a thread. */
export interface ThreadBody {
	readonly input?: unknown;
	readonly thread_id?: string;
	readonly parent_id?: string | null;
	readonly regenerate_of?: string;
}

/** Message of the service; of an answer, its run says the rest. */
interface ServedMessage {
	readonly id: string;
	readonly parent_id: string | null;
	readonly text: string;
	readonly run?: ServedRun;
}

const AT = "2026-01-01T00:00:00.000Z";

/** Threads as the service keeps them. */
export class ServedThreads {
	readonly #threads = new Map<string, ServedMessage[]>();
	#messages = 0;

	/** Responds to `POST /v1/threads` and `GET /v1/threads/:id/messages`. */
	respond(method: string, id: string, token: unknown): { readonly status: number; readonly json: object } {
		if (method === "POST") {
			const number = this.#threads.size + 1;
			this.#threads.set(`thr_${number}`, []);
			return { status: 201, json: { id: `thr_${number}`, token: `tht_${number}` } };
		}
		if (!this.#threads.has(id) || token !== id.replace("thr", "tht"))
			return { status: 404, json: { error: { code: "thread_not_found", message: `No thread ${id}.` } } };
		return { status: 200, json: { messages: this.list(id) } };
	}

	list(threadId: string): readonly ThreadMessage[] {
		return (this.#threads.get(threadId) ?? []).map((message) => toWire(threadId, message));
	}

	/** Stores a question and its answer, or another answer; returns what the first event of the run says of it. */
	add({ thread_id = "", parent_id, regenerate_of, input }: ThreadBody, run: ServedRun): object {
		const messages = this.#threads.get(thread_id);
		if (messages === undefined) return {};
		const question =
			regenerate_of === undefined
				? this.#store(messages, parent_id ?? null, String(input))
				: (messages.find(({ id }) => id === regenerate_of)?.parent_id ?? null);
		return { thread_id, message_id: this.#store(messages, question, "", run) };
	}

	#store(messages: ServedMessage[], parent_id: string | null, text: string, run?: ServedRun): string {
		this.#messages += 1;
		const id = `msg_${this.#messages}`;
		messages.push({ id, parent_id, text, ...(run && { run }) });
		return id;
	}
}

function toWire(thread_id: string, { id, parent_id, text, run }: ServedMessage): ThreadMessage {
	const base = { id, thread_id, parent_id, created_at: AT };
	if (run === undefined) return { ...base, role: "user", text, status: "completed" };
	const last = run.events.at(-1);
	const result = last !== undefined && "result" in last ? last.result : undefined;
	return {
		...base,
		role: "assistant",
		text: typeof result?.output === "string" ? result.output : "",
		status: result === undefined ? "in_progress" : result.status === "paused" ? "waiting" : result.status,
		run_id: run.id,
		run_token: run.token,
		...(result?.error && { error: result.error }),
		...(result && { citations: result.citations }),
	};
}
