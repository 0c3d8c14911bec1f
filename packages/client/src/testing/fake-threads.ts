import type { ConversationMessage } from "@stemma/core";
import type {
	CreatedThread,
	Thread,
	ThreadMessage,
	ThreadMessageList,
	ThreadReference,
} from "../types/thread";
import type { FakeRequest } from "./fake-request";
import { errorResponse, type FakeResponse, jsonResponse, type RequestHandler } from "./fake-response";
import type { FakeRoutes } from "./fake-routes";

/** State of an answer as its message shows it. */
export type FakeThreadAnswer = Pick<ThreadMessage, "status"> &
	Partial<
		Pick<
			ThreadMessage,
			| "text"
			| "run_id"
			| "run_token"
			| "answer_id"
			| "answer_token"
			| "citations"
			| "refused"
			| "receipt"
			| "error"
		>
	>;

/** A message that was appended to a thread, whose answer is to be read from now on. */
export interface FakeTurn {
	readonly reference: ThreadReference;
	readonly question: string;
	/** Messages of the branch before the question, oldest first. */
	readonly history: readonly ConversationMessage[];
	/** Sets what the answer is read from, whenever messages are listed. */
	answerWith(read: () => FakeThreadAnswer): void;
}

/** Fields of a request that name a place in a thread. */
interface TurnBody {
	readonly thread_id?: string;
	readonly parent_id?: string | null;
	readonly regenerate_of?: string;
}

interface FakeMessage extends Pick<ThreadMessage, "id" | "parent_id" | "role" | "created_at"> {
	read: () => FakeThreadAnswer;
}

interface FakeThread {
	readonly thread: Thread;
	readonly token: string;
	readonly messages: FakeMessage[];
}

/** Options of the threads of a fake. */
export interface FakeThreadsOptions {
	/** A client key needs the token of the thread. */
	readonly isClientKey: boolean;
	readonly now: () => number;
}

/** Threads of a fake. Unlike those of a service, they answer all messages at once: nothing waits for its turn. */
export class FakeThreads {
	readonly #options: FakeThreadsOptions;
	readonly #threads = new Map<string, FakeThread>();
	#messages = 0;

	constructor(options: FakeThreadsOptions) {
		this.#options = options;
	}

	addRoutes(routes: FakeRoutes): void {
		routes.on("POST /v1/threads", this.#create);
		routes.on(
			"GET /v1/threads/:id",
			this.#withThread((thread) => jsonResponse(toThread(thread))),
		);
		routes.on("DELETE /v1/threads/:id", this.#delete);
		routes.on(
			"GET /v1/threads/:id/messages",
			this.#withThread((thread, { call }) =>
				jsonResponse(toMessageList(toMessages(thread, call.query.branch), call.query)),
			),
		);
	}

	/**
	 * Appends the message of a request, and its answer. Returns `undefined` where the request names no thread, and an error
	 * where the service would.
	 *
	 * @param text - text of the message; none for an answer that is written again.
	 */
	append(request: FakeRequest, text: unknown): FakeTurn | FakeResponse | undefined {
		const { thread_id, parent_id, regenerate_of }: TurnBody = Object(request.call.body);
		if (thread_id === undefined) return undefined;
		const thread = this.#find(thread_id, request);
		if (thread === undefined) return threadNotFound(thread_id);
		const { messages } = thread;
		const parentId = parent_id === undefined ? (messages.at(-1)?.id ?? null) : parent_id;
		const named = regenerate_of ?? parentId;
		if (named !== null && messages.every(({ id }) => id !== named)) return messageNotFound(thread_id, named);
		const questionId =
			messages.find(({ id }) => id === regenerate_of)?.parent_id ??
			this.#add(messages, "user", parentId, () => ({ status: "completed", text: String(text) })).id;
		return this.#addAnswer(thread, questionId);
	}

	#addAnswer(fake: FakeThread, questionId: string): FakeTurn {
		const answer = this.#add(fake.messages, "assistant", questionId, () => ({ status: "in_progress" }));
		const branch = toMessages(fake, questionId);
		return {
			reference: { thread_id: fake.thread.id, message_id: answer.id },
			question: branch.at(-1)?.text ?? "",
			history: branch
				.slice(0, -1)
				.filter(({ text }) => text !== "")
				.map(({ role, text: content }) => ({ role, content })),
			answerWith(read) {
				answer.read = read;
			},
		};
	}

	#add(
		messages: FakeMessage[],
		role: FakeMessage["role"],
		parent_id: string | null,
		read: FakeMessage["read"],
	): FakeMessage {
		this.#messages += 1;
		const message = { id: toId("msg", this.#messages), role, parent_id, created_at: this.#now(), read };
		messages.push(message);
		return message;
	}

	#now(): string {
		return new Date(this.#options.now()).toISOString();
	}

	#find(id: string, { threadToken }: FakeRequest): FakeThread | undefined {
		const thread = this.#threads.get(id);
		return this.#options.isClientKey && threadToken !== thread?.token ? undefined : thread;
	}

	#withThread(handler: (thread: FakeThread, request: FakeRequest) => FakeResponse): RequestHandler {
		return (request, { id = "" }) => {
			const thread = this.#find(id, request);
			return thread === undefined ? threadNotFound(id) : handler(thread, request);
		};
	}

	readonly #create: RequestHandler = ({ call: { body } }) => {
		const number = this.#threads.size + 1;
		const { title = null, metadata = {}, agent_id = null }: Partial<Thread> = Object(body);
		const at = this.#now();
		const kind = this.#options.isClientKey ? "client_key" : "client";
		const thread: Thread = {
			...{ id: toId("thr", number), title, metadata, agent_id, created_at: at, updated_at: at },
			...{
				owner: { kind, id: kind === "client" ? "cl_fake" : "ck_fake" },
				message_count: 0,
				active_run_id: null,
			},
		};
		const token = toId("tht", number);
		this.#threads.set(thread.id, { thread, token, messages: [] });
		const created: CreatedThread = { ...thread, ...(this.#options.isClientKey && { token }) };
		return jsonResponse(created, 201);
	};

	readonly #delete = this.#withThread(({ thread: { id } }) => {
		this.#threads.delete(id);
		return jsonResponse({ id, deleted: true });
	});
}

const ID_DIGITS = 26;

const toId = (prefix: string, number: number): string =>
	`${prefix}_${String(number).padStart(ID_DIGITS, "0")}`;

function toThread({ thread, messages }: FakeThread): Thread {
	const answers = toMessages({ thread, messages });
	const active = answers.find(({ status }) => status === "in_progress" || status === "waiting");
	const title = thread.title ?? answers[0]?.text.slice(0, 60) ?? null;
	return { ...thread, title, message_count: messages.length, active_run_id: active?.run_id ?? null };
}

/** Messages of a thread, or of the branch of one. */
function toMessages(
	{ thread, messages }: Pick<FakeThread, "thread" | "messages">,
	branch?: string,
): readonly ThreadMessage[] {
	const all = messages.map(({ read, ...message }) => ({
		...message,
		thread_id: thread.id,
		text: "",
		...read(),
	}));
	if (branch === undefined) return all;
	const ancestors: ThreadMessage[] = [];
	const find = (id: string | null) => all.find((message) => message.id === id);
	for (let next = find(branch); next !== undefined; next = find(next.parent_id)) ancestors.unshift(next);
	return ancestors;
}

/** Page of a list of messages; all of them, where none is asked for. */
function toMessageList(
	messages: readonly ThreadMessage[],
	{ limit, after }: Readonly<Record<string, string>>,
): ThreadMessageList {
	const start = after === undefined ? 0 : messages.findIndex(({ id }) => id === after) + 1;
	const size = limit ?? (after === undefined ? messages.length : DEFAULT_PAGE);
	const page = messages.slice(start, start + Number(size));
	const has_more = start + page.length < messages.length;
	return { messages: page, has_more, next: has_more ? (page.at(-1)?.id ?? null) : null };
}

const DEFAULT_PAGE = 20;

const threadNotFound = (id: string): FakeResponse =>
	errorResponse({
		status: 404,
		code: "thread_not_found",
		message: `There is no thread "${id}".`,
		hint: "Of a client key: pass the token of the thread, `thread_token`.",
		param: "thread_id",
	});

const messageNotFound = (threadId: string, id: string): FakeResponse =>
	errorResponse({
		status: 404,
		code: "message_not_found",
		message: `The thread "${threadId}" has no message "${id}".`,
	});
