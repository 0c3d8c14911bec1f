import { isPermanentError } from "../run-state";
import { createThrottledStore, queueSafely, type ThrottledStore } from "../throttled-store";
import { toStemmaError } from "../to-stemma-error";
import { AnswerReaders } from "./answer-readers";
import { type AnswerStream, toRunAnswer } from "./answer-stream";
import { reduceThread } from "./reduce-thread";
import type { ThreadEvent } from "./thread-event";
import type { ThreadService, ThreadTarget } from "./thread-service";
import { type ChatMessage, isFinal, NO_THREAD, type ThreadHandle, type ThreadState } from "./thread-state";

/** Options that may change at each render. */
export interface ThreadStoreOptions {
	readonly service: ThreadService;
	readonly target: ThreadTarget;
	readonly onThread?: ((handle: ThreadHandle) => void) | undefined;
}

/** Interval for answers whose events are not read: those that wait for an approval, say. */
const POLL_MS = 3_000;

/**
 * State of one component that shows a thread: reads its messages, and the answers that are being written. It does nothing
 * until it has a subscriber or is asked to, because a render may create stores that are never used.
 */
export class ThreadStore {
	readonly #store: ThrottledStore<ThreadState, ThreadEvent>;
	readonly #readers = new AnswerReaders({
		onStart: (key, { run_id, run_token }, id) => {
			const run = run_id === undefined ? undefined : { run_id, run_token };
			this.emit({ type: "answer.started", key, id, run });
		},
		onEvent: (key, event) => this.#store.push({ type: "answer.event", key, event }),
		onEnd: (key, end) => {
			this.emit({ type: "answer.ended", key, end });
			const { id, parentKey } = this.find(key) ?? {};
			// The service names the id of an answer alone: that of its question is in its branch.
			if (id === undefined || this.find(parentKey ?? null)?.id === undefined) void this.load(id);
			else this.#watchOpen();
		},
		onError: (key, error) => this.#onAnswerError(key, error),
	});
	/** Keys of answers whose events this credential cannot read. */
	readonly #unreadable = new Set<string>();
	#options: ThreadStoreOptions;
	#opening: Promise<ThreadHandle> | undefined;
	#loading: Promise<void> = Promise.resolve();
	#nextLoad: Promise<void> | undefined;
	/** Last message of the branch that is read next; `undefined` for all messages. */
	#nextBranch: string | undefined;
	#pollTimer: ReturnType<typeof setTimeout> | undefined;
	// These are handed on alone.
	readonly get: () => ThreadState;
	readonly subscribe: (listener: () => void) => () => void;
	/** Returns the state of the first render, for servers. */
	readonly getFirst: () => ThreadState;

	constructor(options: ThreadStoreOptions, handle?: ThreadHandle) {
		this.#options = options;
		const first = handle === undefined ? NO_THREAD : { ...NO_THREAD, status: "loading" as const, handle };
		this.#store = createThrottledStore<ThreadState, ThreadEvent>(first, reduceThread, () =>
			queueSafely(this.#sync),
		);
		this.get = this.#store.get;
		this.getFirst = () => first;
		this.subscribe = this.#store.subscribe;
	}

	get options(): ThreadStoreOptions {
		return this.#options;
	}

	readonly configure = (options: ThreadStoreOptions): void => {
		this.#options = options;
	};

	readonly emit = (event: ThreadEvent): void => this.#store.set(reduceThread(this.get(), [event]));

	find(key: string | null): ChatMessage | undefined {
		return this.get().messages.get(key ?? "");
	}

	change(key: string, change: (ThreadEvent & { readonly type: "message.changed" })["change"]): void {
		this.emit({ type: "message.changed", key, change });
	}

	/** Returns the thread; creates it where there is none yet. */
	openThread(): Promise<ThreadHandle> {
		const { handle } = this.get();
		if (handle !== undefined) return Promise.resolve(handle);
		this.#opening ??= this.#createThread().finally(() => {
			this.#opening = undefined;
		});
		return this.#opening;
	}

	async #createThread(): Promise<ThreadHandle> {
		const { id, token } = await this.#options.service.threads.create();
		const handle = { thread_id: id, thread_token: token };
		this.emit({ type: "thread.opened", handle });
		const { onThread } = this.#options;
		// Not here: what it throws is no failure of the thread.
		if (onThread !== undefined) queueSafely(() => onThread(handle));
		return handle;
	}

	/**
	 * Reads the messages of the thread, as they are from now on. Never rejects: a thread that cannot be read is `failed`.
	 *
	 * @param branch - id of the last message of the branch that is enough. Default: all messages.
	 */
	load(branch?: string): Promise<void> {
		const isFirst = this.#nextLoad === undefined;
		this.#nextBranch = isFirst || this.#nextBranch === branch ? branch : undefined;
		this.#nextLoad ??= this.#loading.then(() => {
			this.#nextLoad = undefined;
			this.#loading = this.#load(this.#nextBranch);
			return this.#loading;
		});
		return this.#nextLoad;
	}

	async #load(branch: string | undefined): Promise<void> {
		const { handle } = this.get();
		if (handle === undefined) return;
		const { thread_id, thread_token } = handle;
		try {
			const { messages } = await this.#options.service.threads.messages(thread_id, { thread_token, branch });
			this.emit({ type: "thread.loaded", messages });
		} catch (error) {
			// A thread that is shown already stays.
			if (this.get().status === "loading") this.emit({ type: "thread.failed", error: toStemmaError(error) });
		}
		if (!this.#store.hasSubscribers()) return;
		for (const message of this.get().messages.values()) if (this.#mustFollow(message)) this.follow(message);
		this.#watchOpen();
	}

	/** Reads an answer that is being written to its end. Resolves as soon as it has started, or has failed to. */
	read(key: string, open: () => AnswerStream): Promise<void> {
		return this.#readers.read(key, open);
	}

	isReading(key: string): boolean {
		return this.#readers.isReading(key);
	}

	cancel(key: string): void {
		this.#readers.cancel(key);
	}

	/** Reads the answer of a run where it was left, or from its beginning. */
	follow({ key, run }: ChatMessage): void {
		if (run === undefined || this.#readers.isReading(key)) return;
		const after = this.#readers.lastSeq(key);
		if (after === 0) this.emit({ type: "answer.rejoined", key });
		else this.change(key, { status: "in_progress", error: undefined, canReconnect: false });
		const { run_id, run_token } = run;
		const { runs } = this.#options.service;
		void this.read(key, () => toRunAnswer(runs.stream(run_id, { run_token, after })));
	}

	readonly #sync = (): void => {
		if (!this.#store.hasSubscribers()) {
			clearTimeout(this.#pollTimer);
			this.#readers.detach();
			return;
		}
		this.#readers.attach();
		if (this.get().handle !== undefined) void this.load();
	};

	/** Reads the thread again later, for answers that cannot be followed by their events. */
	#watchOpen(): void {
		const isOpen = ({ key, id, status }: ChatMessage): boolean =>
			id !== undefined && !isFinal(status) && !this.#readers.isReading(key);
		clearTimeout(this.#pollTimer);
		if ([...this.get().messages.values()].some(isOpen))
			this.#pollTimer = setTimeout(() => void this.load(), POLL_MS);
	}

	/** Checks for an answer that is being written, or that waits for approvals which its events name. */
	#mustFollow({ key, status }: ChatMessage): boolean {
		if (this.#unreadable.has(key)) return false;
		const isUnread = status === "waiting" && this.#readers.lastSeq(key) === 0;
		return status === "in_progress" || status === "queued" || isUnread;
	}

	#onAnswerError(key: string, cause: unknown): void {
		const message = this.find(key);
		const error = toStemmaError(cause);
		const isKnown = message?.run !== undefined;
		if (isKnown && isPermanentError(error)) this.#unreadable.add(key);
		else this.fail(key, error, isKnown);
		// The service may have more of it than this page.
		void this.load();
	}

	/** Shows an answer as failed, and its question, too, if the service does not have it. */
	fail(key: string, cause: unknown, canReconnect = false): void {
		const question = this.find(this.find(key)?.parentKey ?? null);
		if (question?.status === "sending") this.change(question.key, { status: "failed" });
		this.change(key, { status: "failed", error: toStemmaError(cause), canReconnect });
	}
}
