import { DomainError } from "@stemma/protocol";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { toNewThread } from "../store/test-support/thread-fixture";
import type { IfActive } from "./assert-turn";
import type { PreparedTurn } from "./prepare-turn";
import { answerText, ThreadEnvironment } from "./test-support/thread-environment";

/** Number of random histories; `STEMMA_THREAD_CASES=10000` takes minutes. */
const CASES = Number(process.env.STEMMA_THREAD_CASES ?? (process.env.STEMMA_TESTS === "all" ? 300 : 100));

const THREAD = "thr_1";

type Send = Appending & { readonly kind: "send"; readonly parent: "newest" | "root" | number };
type Regenerate = Appending & { readonly kind: "regenerate"; readonly answer: number };
type Step =
	| Send
	| Regenerate
	| { readonly kind: "finish" | "cancel"; readonly answer: number }
	| { readonly kind: "crash"; readonly isInSend: boolean };

interface Appending {
	readonly ifActive: IfActive;
	readonly by: "run" | "ask";
}

const appending = {
	ifActive: fc.constantFrom<IfActive[]>("queue", "queue", "reject", "interrupt"),
	by: fc.constantFrom("run" as const, "run" as const, "ask" as const),
};
const answer = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			...{ kind: fc.constant("send" as const), ...appending },
			parent: fc.oneof(fc.constant("newest" as const), fc.constant("root" as const), answer),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("regenerate" as const), answer, ...appending }) },
	{ weight: 8, arbitrary: fc.record({ kind: fc.constant("finish" as const), answer }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), answer }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), isInSend: fc.boolean() }) },
);

/** Message as the test knows it. */
interface KnownMessage {
	readonly id: string;
	readonly parentId: string | null;
	/** Text of a question; of an answer, the store has it. */
	readonly question?: string;
}

/** Picks one of a list; none of an empty one. */
const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

/** A thread, and what the test knows about it. */
class KnownThread {
	readonly environment = new ThreadEnvironment();
	readonly messages: KnownMessage[] = [];
	#count = 0;

	get answers(): readonly KnownMessage[] {
		return this.messages.filter(({ question }) => question === undefined);
	}

	async perform(next: Step): Promise<void> {
		if (next.kind === "finish") pick([...this.environment.open.values()], next.answer)?.();
		else if (next.kind === "cancel") await this.#cancel(next.answer);
		else if (next.kind === "crash") await this.#crash(next.isInSend);
		else if (next.kind === "send" || next.kind === "regenerate") await this.#append(next);
		await idle();
	}

	/** Finishes all answers, one after the other. */
	async drain(): Promise<void> {
		while ((await this.environment.store.threads.listUnfinished(THREAD)).length > 0) {
			for (const finish of [...this.environment.open.values()]) finish();
			await idle();
		}
	}

	async #append(next: Send | Regenerate): Promise<void> {
		const turn = this.#toTurn(next);
		if (turn === undefined) return;
		const known = this.#toMessages(turn);
		try {
			await this.environment[next.by](turn);
			this.messages.push(...known);
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			expect(["thread_active", "thread_queue_full"]).toContain(error.code);
		}
	}

	#toTurn(next: Send | Regenerate): PreparedTurn | undefined {
		this.#count += 1;
		const base = { threadId: THREAD, answerId: `a${this.#count}`, ifActive: next.ifActive };
		if (next.kind === "regenerate") {
			const questionId = pick(this.answers, next.answer)?.parentId;
			const question = this.messages.find(({ id }) => id === questionId);
			if (question?.question === undefined) return undefined;
			return { ...base, question: { kind: "stored", id: question.id }, text: question.question };
		}
		const { parent } = next;
		const parentId =
			parent === "newest" ? undefined : parent === "root" ? null : (pick(this.answers, parent)?.id ?? null);
		const text = `Question ${this.#count}`;
		return { ...base, question: { kind: "new", id: `q${this.#count}`, text, parentId, title: text }, text };
	}

	#toMessages({ question, answerId, text }: PreparedTurn): readonly KnownMessage[] {
		const answered = { id: answerId, parentId: question.id };
		if (question.kind === "stored") return [answered];
		const { id, parentId = this.messages.at(-1)?.id ?? null } = question;
		return [{ id, parentId, question: text }, answered];
	}

	async #cancel(index: number): Promise<void> {
		const unfinished = await this.environment.store.threads.listUnfinished(THREAD);
		const runId = pick(unfinished, index)?.run_id;
		if (runId != null) await this.environment.cancel(runId);
	}

	/** @param isInSend - while a message is being stored: it is there with its answer, or neither is. */
	async #crash(isInSend: boolean): Promise<void> {
		const turn = this.#toTurn({ kind: "send", parent: "newest", ifActive: "queue", by: "run" });
		if (isInSend && turn !== undefined) void this.environment.run(turn).catch(() => undefined);
		await this.environment.crash();
		await idle();
		if (
			turn === undefined ||
			(await this.environment.store.threads.findMessage(THREAD, turn.answerId)) === undefined
		)
			return;
		this.messages.push(...this.#toMessages(turn));
	}
}

/** Waits until nothing happens that needs no more than promises. */
const idle = async (): Promise<void> => {
	for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it("shows each model exactly the ancestors of its answer, and loses nothing, whatever happens in which order", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
			const thread = new KnownThread();
			const { store, seen } = thread.environment;
			await store.threads.insert(toNewThread(THREAD), () => undefined);
			for (const next of steps) await thread.perform(next);
			await thread.drain();
			const stored = await store.threads.listMessages(THREAD);
			expect(stored.map(({ id, parent_id }) => [id, parent_id])).toEqual(
				thread.messages.map(({ id, parentId }) => [id, parentId]),
			);
			const textOf = new Map(stored.map(({ id, text }) => [id, text]));
			for (const { id, status, role, text } of stored) {
				expect(["completed", "failed", "cancelled"]).toContain(status);
				if (role === "assistant" && status === "completed") expect(text).toBe(answerText(id));
				const conversation = seen.get(id);
				if (conversation !== undefined)
					expect(conversation).toEqual(
						listAncestors(thread.messages, id)
							.map((one) => textOf.get(one))
							.filter(Boolean),
					);
				else expect(status === "completed" && role === "assistant").toBe(false);
			}
			const { message_count } = (await store.threads.find(THREAD)) ?? {};
			expect(message_count).toBe(stored.length);
		}),
		{ numRuns: CASES },
	);
}, 3_600_000);

/** Ids of the messages before one, root first. */
function listAncestors(messages: readonly KnownMessage[], id: string): string[] {
	const parentOf = new Map(messages.map((message) => [message.id, message.parentId]));
	const ids: string[] = [];
	for (let parent = parentOf.get(id); parent != null; parent = parentOf.get(parent)) ids.unshift(parent);
	return ids;
}
