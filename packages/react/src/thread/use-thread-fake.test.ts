import { createFakeStemma, type FakeStemma } from "@stemma/client/testing";
import { describe, expect, it } from "vitest";
import { usePage, waitFor } from "../test-support/page";
import type { ReactBundle } from "../test-support/react-versions";
import type { ThreadService } from "./thread-service";
import type { ThreadHandle } from "./thread-state";
import type { UseThreadResult } from "./use-thread";

/** A whole `Stemma`, and knowledge bases. */
function useChat({ stemma }: FakeStemma, { hooks }: ReactBundle) {
	const chat = hooks.useThread(stemma, { knowledgeBaseIds: ["kb_1"] });
	return { ...chat, text: chat.messages.at(-1)?.text ?? "" };
}

interface HandedThread {
	readonly service: ThreadService;
	readonly thread: ThreadHandle | null;
}

/** Knowledge bases, in a thread that may be there already. */
function useHandedThread({ service, thread }: HandedThread, { hooks }: ReactBundle) {
	const chat = hooks.useThread(service, { knowledgeBaseIds: ["kb_1"], thread });
	return { ...chat, text: chat.messages.at(-1)?.text ?? "" };
}

const read = ({ messages }: UseThreadResult) => messages.map(({ text, status }) => [text, status]);

describe("useThread with knowledge bases", () => {
	const page = usePage({ version: "19", isStrict: true });

	it("answers from knowledge bases, with what was said before", async () => {
		const questions: unknown[] = [];
		const fake = createFakeStemma();
		fake.ask.on(({ question, history, knowledge_base_ids }) => {
			questions.push([question, history, knowledge_base_ids]);
			return { answer: `${question} Five days [1].`, citations: [{ title: "Refunds", text: "Five days." }] };
		});
		const chat = page.render(useChat, fake);
		await waitFor(() => chat.renders).toBeGreaterThan(0);
		chat.current.send("How long?");
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "completed"],
			["How long? Five days [1].", "completed"],
		]);
		expect(chat.current.messages[1]?.citations).toMatchObject([{ title: "Refunds" }]);
		chat.current.send("And then?");
		await waitFor(() => read(chat.current).at(-1)).toEqual(["And then? Five days [1].", "completed"]);
		await waitFor(() => chat.current.messages.every(({ id }) => id !== undefined)).toBe(true);
		chat.current.regenerate(chat.current.messages[1]?.key ?? "");
		await waitFor(() => questions.length).toBe(3);
		await waitFor(() => chat.current.isAnswering).toBe(false);
		expect(chat.current.messages[1]?.versions).toHaveLength(2);
		const history = [
			{ role: "user", content: "How long?" },
			{ role: "assistant", content: "How long? Five days [1]." },
		];
		expect(questions).toEqual([
			["How long?", [], ["kb_1"]],
			["And then?", history, ["kb_1"]],
			["How long?", [], ["kb_1"]],
		]);
		expect(fake.unscripted).toEqual([]);
	});

	it("rates an answer from knowledge bases, also after a reload", async () => {
		const fake = createFakeStemma({ credential: "client_key" });
		fake.ask.on("Five days.");
		const ratings: unknown[] = [];
		const { ask, ...stemma } = fake.stemma;
		const { sendFeedback: send } = ask;
		const sendFeedback: typeof ask.sendFeedback = (id, feedback, options) => {
			ratings.push([id, feedback, options?.answer_token]);
			return send(id, feedback, options);
		};
		const service = { ...stemma, ask: Object.assign(ask, { sendFeedback }) };
		const chat = page.render(useHandedThread, { service, thread: null });
		await waitFor(() => chat.renders).toBeGreaterThan(0);
		chat.current.send("How long?");
		await waitFor(() => read(chat.current).at(-1)).toEqual(["Five days.", "completed"]);
		const stored = { answer_id: expect.stringMatching(/^ans_/), answer_token: expect.any(String) };
		expect(chat.current.messages[1]?.answer).toEqual(stored);
		chat.current.rate(chat.current.messages[1]?.key ?? "", "down", "Too slow.");
		await waitFor(() => ratings).toEqual([
			[stored.answer_id, { rating: "down", comment: "Too slow." }, stored.answer_token],
		]);
		const again = page.render(useHandedThread, { service, thread: chat.current.handle ?? null });
		await waitFor(() => again.renders).toBeGreaterThan(0);
		await waitFor(() => again.current.messages[1]?.answer).toEqual(chat.current.messages[1]?.answer);
		again.current.rate(again.current.messages[1]?.key ?? "", "up");
		await waitFor(() => ratings.length).toBe(2);
		expect(again.current.messages[1]?.rating).toBe("up");
		expect(fake.unscripted).toEqual([]);
	});

	it("stops an answer from knowledge bases, and shows an error", async () => {
		const fake = createFakeStemma();
		let wasStopped = false;
		fake.ask.on(
			async function* (_, signal) {
				yield "Five ";
				await new Promise((resolve) => signal.addEventListener("abort", resolve));
				wasStopped = true;
			},
			{ error: { code: "model_failed", message: "It broke." } },
		);
		const chat = page.render(useChat, fake);
		await waitFor(() => chat.renders).toBeGreaterThan(0);
		chat.current.send("How long?");
		await waitFor(() => chat.pageText).toBe("Five ");
		chat.current.stop();
		await waitFor(() => read(chat.current).at(-1)).toEqual(["Five ", "cancelled"]);
		await waitFor(() => wasStopped).toBe(true);
		await waitFor(() => chat.current.messages.every(({ id }) => id !== undefined)).toBe(true);
		chat.current.retry(chat.current.messages[1]?.key ?? "");
		await waitFor(() => read(chat.current).at(-1)).toEqual(["", "failed"]);
		expect(chat.current.messages[1]?.error).toMatchObject({ code: "model_failed", message: "It broke." });
	});
});
