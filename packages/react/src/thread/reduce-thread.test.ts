import type { ThreadMessage, WireRunEvent } from "@stemma/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reduceThread } from "./reduce-thread";
import type { AnswerEnd, ThreadEvent } from "./thread-event";
import { type ChatMessage, createMessage, NO_THREAD, type ThreadState } from "./thread-state";
import { listChildren, listVisible } from "./thread-tree";

const AT = "2026-01-01T00:00:00Z";

const stored = (
	id: string,
	parent_id: string | null,
	role: "user" | "assistant",
	text: string,
	status: ThreadMessage["status"] = "completed",
): ThreadMessage => ({ id, thread_id: "thr_1", parent_id, role, text, status, created_at: AT });

const textOf = ({ text }: ChatMessage): string => text;
const apply = (...events: readonly ThreadEvent[]): ThreadState => reduceThread(NO_THREAD, events);
const delta = (key: string, text: string, final = true): ThreadEvent => ({
	type: "answer.event",
	key,
	event: { type: "text.delta", text, final } as WireRunEvent,
});
const ending = (status: AnswerEnd["status"], text?: string): AnswerEnd => ({
	...{ status, text },
	...{ citations: [], receipt: [], approvals: [] },
});

/** A question and its answer, as this page adds them. */
const added = (key: string, parentKey: string | null, text: string): ThreadEvent[] => [
	{ type: "message.added", message: createMessage({ key, parentKey, role: "user", text }) },
	{ type: "message.added", message: createMessage({ key: `${key}a`, parentKey: key, role: "assistant" }) },
];

describe("a thread", () => {
	it("shows what is sent at once, and the answer as it is written", () => {
		const sent = apply(...added("q", null, "How long?"));
		expect(listVisible(sent).map(({ text, status }) => [text, status])).toEqual([
			["How long?", "sending"],
			["", "sending"],
		]);
		const written = reduceThread(sent, [
			{ type: "answer.started", key: "qa", id: "msg_2", run: { run_id: "run_1", run_token: "rt_1" } },
			delta("qa", "Let me see."),
			{ type: "answer.event", key: "qa", event: { type: "text.reset" } as WireRunEvent },
			delta("qa", "aside", false),
			delta("qa", "Five days."),
		]);
		expect(listVisible(written)).toMatchObject([
			{ text: "How long?", status: "completed" },
			{ text: "Five days.", status: "in_progress", id: "msg_2", run: { run_id: "run_1", run_token: "rt_1" } },
		]);
		const ended = reduceThread(written, [
			{ type: "answer.ended", key: "qa", end: ending("completed", "Five days.") },
		]);
		expect(listVisible(ended).at(-1)).toMatchObject({ status: "completed", text: "Five days." });
	});

	it("gives a sent message the id that the service has stored it under", () => {
		const state = apply(
			...added("q", null, "How long?"),
			{ type: "answer.started", key: "qa", id: "msg_2" },
			delta("qa", "Five"),
			{
				type: "thread.loaded",
				messages: [
					stored("msg_1", null, "user", "How long?"),
					stored("msg_2", "msg_1", "assistant", "", "in_progress"),
				],
			},
		);
		expect([...state.messages.values()]).toMatchObject([
			{ key: "q", id: "msg_1" },
			{ key: "qa", id: "msg_2", text: "Five", status: "in_progress" },
		]);
	});

	it("recognises a message that the service has although sending it has failed", () => {
		const state = apply(
			...added("q", null, "How long?"),
			{ type: "message.changed", key: "q", change: { status: "failed" } },
			{ type: "message.changed", key: "qa", change: { status: "failed" } },
			{
				type: "thread.loaded",
				messages: [
					stored("msg_1", null, "user", "How long?"),
					stored("msg_2", "msg_1", "assistant", "Five days."),
				],
			},
		);
		expect([...state.messages.values()]).toMatchObject([
			{ key: "q", id: "msg_1", status: "completed" },
			{ key: "qa", id: "msg_2", text: "Five days.", status: "completed" },
		]);
	});

	it("opens at the newest message, and shows other branches on demand", () => {
		const loaded = apply({
			type: "thread.loaded",
			messages: [
				stored("msg_1", null, "user", "How long?"),
				stored("msg_2", "msg_1", "assistant", "Five days."),
				stored("msg_3", "msg_1", "assistant", "A week."),
				stored("msg_4", "msg_2", "user", "Really?"),
			],
		});
		expect(listVisible(loaded).map(textOf)).toEqual(["How long?", "Five days.", "Really?"]);
		const other = reduceThread(loaded, [{ type: "message.selected", key: "msg_3" }]);
		expect(listVisible(other).map(textOf)).toEqual(["How long?", "A week."]);
		const back = reduceThread(other, [{ type: "message.selected", key: "msg_2" }]);
		expect(listVisible(back).map(textOf)).toEqual(["How long?", "Five days.", "Really?"]);
	});

	it("keeps the branch that is shown when another page adds one", () => {
		const first = [
			stored("msg_1", null, "user", "How long?"),
			stored("msg_2", "msg_1", "assistant", "Five."),
		];
		const state = apply(
			{ type: "thread.loaded", messages: first },
			{ type: "thread.loaded", messages: [...first, stored("msg_3", "msg_1", "assistant", "Six.")] },
		);
		expect(listVisible(state).map(textOf)).toEqual(["How long?", "Five."]);
		expect(listChildren(state, "msg_1").map(textOf)).toEqual(["Five.", "Six."]);
	});

	it("takes what is stored at the end, and not what was stored before it", () => {
		const question = stored("msg_1", null, "user", "How long?");
		const state = apply(
			...added("q", null, "How long?"),
			{ type: "answer.started", key: "qa", id: "msg_2" },
			{ type: "answer.ended", key: "qa", end: ending("completed", "Five days.") },
			{
				type: "thread.loaded",
				messages: [question, stored("msg_2", "msg_1", "assistant", "", "in_progress")],
			},
		);
		expect(state.messages.get("qa")).toMatchObject({ status: "completed", text: "Five days." });
		const later = reduceThread(state, [
			{
				type: "thread.loaded",
				messages: [question, { ...stored("msg_2", "msg_1", "assistant", "Five days."), run_id: "run_1" }],
			},
		]);
		expect(later.messages.get("qa")).toMatchObject({ status: "completed", run: { run_id: "run_1" } });
	});

	it("applies 100,000 pieces of text in a moment", () => {
		const events = Array.from({ length: 100_000 }, () => delta("qa", "x"));
		const state = reduceThread(apply(...added("q", null, "How long?")), events);
		expect(state.messages.get("qa")?.text).toHaveLength(100_000);
	});
});

/** A page and a service, each with its own knowledge of a thread: what the service says may arrive late. */
class Model {
	state = NO_THREAD;
	/** Messages of the service. */
	readonly stored: ThreadMessage[] = [];
	/** Keys of answers that the service has not received. */
	readonly unsent: string[] = [];
	/** Answers of the service of which the page has read nothing, by key. */
	readonly undelivered = new Map<string, string>();
	/** Ids of the service by key. The page that sends knows those before it, or asks for them first. */
	readonly #ids = new Map<string, string>();
	/** Responses with messages that have not arrived. */
	readonly responses: (readonly ThreadMessage[])[] = [];
	readonly sentTexts: string[] = [];
	#keys = 0;

	apply(...events: readonly ThreadEvent[]): void {
		this.state = reduceThread(this.state, events);
	}

	get messages(): readonly ChatMessage[] {
		return [...this.state.messages.values()];
	}

	pick(role: ChatMessage["role"], at: number): ChatMessage | undefined {
		const messages = this.messages.filter((message) => message.role === role);
		return messages[at % messages.length];
	}

	/** Questions follow answers that the service has: the page sends one after another. */
	add(parentKey: string | null): void {
		this.#keys += 1;
		const [key, text] = [`new-${this.#keys}`, `Question ${this.#keys}`];
		this.apply(...added(key, parentKey, text));
		this.unsent.push(`${key}a`);
		this.sentTexts.push(text);
	}

	/** The service receives the next question, and stores it with its answer. */
	receive(): void {
		const key = this.unsent.shift();
		const answer = this.state.messages.get(key ?? "");
		const question = this.state.messages.get(answer?.parentKey ?? "");
		if (key === undefined || question === undefined) return;
		const parent_id = this.#ids.get(question.parentKey ?? "") ?? null;
		const id = `msg_${this.stored.length}`;
		this.stored.push(stored(id, parent_id, "user", question.text));
		this.stored.push(stored(`${id}a`, id, "assistant", "", "in_progress"));
		this.undelivered.set(key, `${id}a`);
		this.#ids.set(key, `${id}a`);
	}

	/** The page reads the first event of an answer, or loses the connection. */
	deliver(at: number, isLost: boolean): void {
		const delivered = [...this.undelivered][at % Math.max(1, this.undelivered.size)];
		if (delivered === undefined) return;
		const [key, id] = delivered;
		this.undelivered.delete(key);
		if (isLost) this.apply({ type: "message.changed", key, change: { status: "failed" } });
		else this.apply({ type: "answer.started", key, id }, delta(key, "…"));
	}

	/** The service completes an answer. */
	complete(at: number): void {
		const open = this.stored.filter(({ status }) => status === "in_progress");
		const answer = open[at % Math.max(1, open.length)];
		if (answer === undefined) return;
		const text = `Answer ${answer.id}`;
		this.stored[this.stored.indexOf(answer)] = { ...answer, status: "completed", text };
		const shown = this.messages.find(({ id }) => id === answer.id);
		if (shown !== undefined)
			this.apply({ type: "answer.ended", key: shown.key, end: ending("completed", text) });
	}

	arrive(at: number): void {
		const [messages] = this.responses.splice(at % Math.max(1, this.responses.length), 1);
		if (messages !== undefined) this.apply({ type: "thread.loaded", messages });
	}
}

type Step = (model: Model, at: number) => void;

const STEPS: readonly Step[] = [
	(model) => model.add(listVisible(model.state).at(-1)?.key ?? null),
	// An edited message begins another branch.
	(model, at) => model.add(model.pick("user", at)?.parentKey ?? null),
	(model) => model.receive(),
	(model, at) => model.deliver(at, false),
	(model, at) => model.deliver(at, true),
	(model, at) => model.complete(at),
	(model) => model.responses.push([...model.stored]),
	(model, at) => model.arrive(at),
	(model, at) => {
		const key = model.pick("assistant", at)?.key;
		if (key === undefined) return;
		model.apply({ type: "message.selected", key });
		expect(listVisible(model.state).map((message) => message.key)).toContain(key);
	},
];

/** Laws that hold after each step. */
function checkBranch({ state, messages }: Model): void {
	const visible = listVisible(state);
	expect(visible.map(({ parentKey }) => parentKey)).toEqual([
		...(visible.length === 0 ? [] : [null]),
		...visible.slice(0, -1).map(({ key }) => key),
	]);
	const ids = messages.flatMap(({ id }) => id ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { parentKey } of messages)
		expect(parentKey === null || state.messages.has(parentKey)).toBe(true);
}

/** Once the service has all, and all of it has arrived, both have the same tree. */
function checkEnd(model: Model): void {
	while (model.unsent.length > 0) model.receive();
	while (model.undelivered.size > 0) model.deliver(0, false);
	while (model.stored.some(({ status }) => status === "in_progress")) model.complete(0);
	model.apply({ type: "thread.loaded", messages: model.stored });
	const toId = (key: string | null) => model.state.messages.get(key ?? "")?.id ?? null;
	const shown = model.messages.map(({ id, parentKey, text }) => [id, toId(parentKey), text]);
	const expected = model.stored.map(({ id, parent_id, text }) => [id, parent_id, text]);
	expect(shown.toSorted()).toEqual(expected.toSorted());
	expect(
		model.messages
			.filter(({ role }) => role === "user")
			.map(textOf)
			.toSorted(),
	).toEqual(model.sentTexts.toSorted());
}

it("has the tree of the service in the end, whatever happens in which order", () => {
	const step = fc.tuple(fc.nat(STEPS.length - 1), fc.nat(20));
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const model = new Model();
			for (const [index, at] of steps) {
				STEPS[index]?.(model, at);
				checkBranch(model);
			}
			checkEnd(model);
		}),
		{ numRuns: 500 },
	);
});
