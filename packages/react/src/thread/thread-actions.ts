import type { ApprovalDecisionRequest } from "@stemma/client";
import type { RunHandle } from "../run-state";
import { toStemmaError } from "../to-stemma-error";
import { type AnswerPlace, openAnswerStream } from "./open-answer-stream";
import { type ChatMessage, createMessage, isFinal } from "./thread-state";
import type { ThreadStore } from "./thread-store";
import { listAncestors, listChildren, listVisible } from "./thread-tree";

/** Actions of the person in front of a thread. None of them throws: look at `error` of the messages. */
export interface ThreadActions {
	/** Sends a message after the last one that is shown. One that is sent while an answer is written waits for its end. */
	readonly send: (text: string) => void;
	/** Sends another text in place of a message of the user: a new branch begins there. */
	readonly edit: (key: string, text: string) => void;
	/** Answers once more: a new branch begins at the question. */
	readonly regenerate: (key: string) => void;
	/** Continues an answer whose connection was lost; sends a message that was not received; or answers once more. */
	readonly retry: (key: string) => void;
	/** Shows the branch of another message. */
	readonly select: (key: string) => void;
	/** Stops the answers of the branch that is shown; their text so far stays. */
	readonly stop: () => void;
	/** Decides on one of the `approvals` of an answer that waits. Client keys cannot. */
	readonly decide: (key: string, approvalId: string, decision: ApprovalDecisionRequest) => void;
	/** Rates an answer that is complete; the last rating counts. */
	readonly rate: (key: string, rating: "up" | "down", comment?: string) => void;
	/** Reads the messages of the thread again, and continues answers whose connection was lost. */
	readonly reload: () => void;
}

/** Creates the actions of a thread; each may be handed on alone. */
export function createThreadActions(store: ThreadStore): ThreadActions {
	const sender = new MessageSender(store);
	let lastRating: Promise<void> = Promise.resolve();
	const toQuestion = (key: string): ChatMessage | undefined => {
		const message = store.find(key);
		return message?.role === "assistant" ? store.find(message.parentKey) : message;
	};
	return {
		send: (text) => sender.add(text, listVisible(store.get()).at(-1)?.key ?? null),
		edit(key, text) {
			const message = store.find(key);
			if (message?.role === "user") sender.add(text, message.parentKey);
		},
		regenerate(key) {
			const question = toQuestion(key);
			if (question !== undefined) sender.answer(question);
		},
		retry(key) {
			const question = toQuestion(key);
			const answer = key === question?.key ? listChildren(store.get(), key).at(-1) : store.find(key);
			if (question !== undefined && answer !== undefined) retryAnswer(store, sender, question, answer);
		},
		select: (key) => store.emit({ type: "message.selected", key }),
		stop: () => stopAnswers(store),
		decide: (key, approvalId, decision) => void decideApproval(store, key, approvalId, decision),
		rate(key, rating, comment) {
			const message = store.find(key);
			if (message !== undefined) lastRating = rateAnswer(store, message, { rating, comment }, lastRating);
		},
		reload() {
			if (store.get().status === "failed") store.emit({ type: "thread.loading" });
			for (const message of store.get().messages.values()) if (message.canReconnect) store.follow(message);
			void store.load();
		},
	};
}

function retryAnswer(
	store: ThreadStore,
	sender: MessageSender,
	question: ChatMessage,
	answer: ChatMessage,
): void {
	if (!isFinal(answer.status)) return;
	if (answer.canReconnect) store.follow(answer);
	else if (answer.id !== undefined || question.id !== undefined) sender.answer(question);
	else sender.resend(question, answer);
}

function stopAnswers(store: ThreadStore): void {
	for (const message of listVisible(store.get())) {
		const { key, run, status } = message;
		if (isFinal(status)) continue;
		if (store.isReading(key)) store.cancel(key);
		else if (run !== undefined) void cancelRun(store, message, run);
		// A question ends with its answer.
		else if (!listChildren(store.get(), key).some((answer) => store.isReading(answer.key)))
			store.change(key, { status: "cancelled" });
	}
}

/** Cancels a run whose events are not read: it waits for an approval, say. */
async function cancelRun(store: ThreadStore, { key }: ChatMessage, run: RunHandle): Promise<void> {
	try {
		await store.options.service.runs.cancel(run.run_id, { run_token: run.run_token });
		await store.load();
	} catch (error) {
		store.change(key, { error: toStemmaError(error) });
	}
}

async function decideApproval(
	store: ThreadStore,
	key: string,
	approvalId: string,
	decision: ApprovalDecisionRequest,
): Promise<void> {
	const message = store.find(key);
	if (message?.run === undefined) return;
	try {
		await store.options.service.runs.decide(message.run.run_id, approvalId, decision);
		const approvals = message.approvals.filter(({ id }) => id !== approvalId);
		store.change(key, { approvals, error: undefined });
		store.follow(message);
	} catch (error) {
		store.change(key, { error: toStemmaError(error) });
	}
}

/** Shows a rating at once, and sends it after those before it: the service keeps the last one that it gets. */
async function rateAnswer(
	store: ThreadStore,
	{ key, run, answer, rating: shown }: ChatMessage,
	{ rating, comment }: { readonly rating: "up" | "down"; readonly comment: string | undefined },
	before: Promise<void>,
): Promise<void> {
	if (run === undefined && answer === undefined) return;
	store.change(key, { rating, error: undefined });
	await before;
	try {
		const feedback = { rating, ...(comment && { comment }) };
		const { runs, ask } = store.options.service;
		if (run !== undefined) await runs.sendFeedback(run.run_id, feedback, { run_token: run.run_token });
		else if (answer !== undefined)
			await ask?.sendFeedback?.(answer.answer_id, feedback, { answer_token: answer.answer_token });
	} catch (error) {
		store.change(key, { rating: shown, error: toStemmaError(error) });
	}
}

/** Sends messages one after another: each needs the id of the one that it follows. */
class MessageSender {
	readonly #store: ThreadStore;
	#last: Promise<void> = Promise.resolve();
	#keys = 0;

	constructor(store: ThreadStore) {
		this.#store = store;
	}

	/** Adds a message of the user, and its answer. */
	add(text: string, parentKey: string | null): void {
		const question = createMessage({ key: this.#createKey(), parentKey, role: "user", text });
		this.#store.emit({ type: "message.added", message: question });
		this.answer(question);
	}

	/** Adds an answer to a question. */
	answer({ key: parentKey }: ChatMessage): void {
		const answer = createMessage({ key: this.#createKey(), parentKey, role: "assistant" });
		this.#store.emit({ type: "message.added", message: answer });
		this.#queue(answer.key);
	}

	/** Sends a question whose sending has failed, unless it turns out that the service has it. */
	resend(question: ChatMessage, answer: ChatMessage): void {
		for (const { key } of [question, answer])
			this.#store.change(key, { status: "sending", error: undefined });
		this.#queue(answer.key, true);
	}

	#createKey(): string {
		this.#keys += 1;
		return `new-${this.#keys}`;
	}

	#queue(key: string, isResent = false): void {
		this.#last = this.#last.then(() => this.#send(key, isResent));
	}

	/** Resolves as soon as the answer has started, or has failed to. */
	async #send(key: string, isResent: boolean): Promise<void> {
		const store = this.#store;
		try {
			const handle = await store.openThread();
			if (isResent || this.#lacksIds(key)) await store.load();
			if (store.find(key)?.status !== "sending") return;
			await store.read(key, () => {
				const { service, target } = store.options;
				return openAnswerStream(service, target, handle, this.#toPlace(key));
			});
		} catch (error) {
			store.fail(key, error);
		}
	}

	/** Checks for ids that the service may know although this page does not: of what an answer follows, and of its question. */
	#lacksIds(key: string): boolean {
		const state = this.#store.get();
		const [question, parent] = listAncestors(state, this.#store.find(key)?.parentKey ?? null).reverse();
		const isAnswered = question?.id === undefined && question?.status === "completed";
		return isAnswered || (parent !== undefined && parent.id === undefined);
	}

	#toPlace(key: string): AnswerPlace {
		const state = this.#store.get();
		const [question, ...before] = listAncestors(state, this.#store.find(key)?.parentKey ?? null).reverse();
		const answered = listChildren(state, question?.key ?? null).find(({ id }) => id !== undefined);
		if (question?.id !== undefined && answered?.id !== undefined) return { regenerate_of: answered.id };
		// What the service never received is left out.
		const parent_id = before.find(({ id, role }) => id !== undefined && role === "assistant")?.id ?? null;
		return { text: question?.text ?? "", parent_id };
	}
}
