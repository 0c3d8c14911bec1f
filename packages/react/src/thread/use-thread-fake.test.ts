import { createFakeStemma, type FakeStemma } from "@stemma/client/testing";
import { describe, expect, it } from "vitest";
import { usePage, waitFor } from "../test-support/page";
import type { ReactBundle } from "../test-support/react-versions";
import type { UseThreadResult } from "./use-thread";

/** A whole `Stemma`, and knowledge bases. */
function useChat({ stemma }: FakeStemma, { hooks }: ReactBundle) {
	const chat = hooks.useThread(stemma, { knowledgeBaseIds: ["kb_1"] });
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
