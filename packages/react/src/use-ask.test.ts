import {
	type AskRequest,
	ask,
	type Citation,
	createClient,
	type FoundPassage,
	type ReceiptRow,
} from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pause, usePage, waitFor } from "./test-support/page";
import type { ReactBundle } from "./test-support/react-versions";
import { createAnswer, type ServedQuestion, startService, type TestService } from "./test-support/service";
import type { UseAskResult } from "./use-ask";

const PASSAGE = { passage_id: "psg_1", title: "Refunds", text: "Five days." } as FoundPassage;
const CITATION = { n: 1, passage_id: "psg_1", title: "Refunds" } as Citation;
const ROW = { stage: "answer", payer: "workspace" } as ReceiptRow;
const REQUEST: AskRequest = { question: "How long?", knowledge_base_ids: ["kb_1"] };

interface Props {
	readonly url: string;
	/** Asks by itself, as a page does that is opened with a question. */
	readonly isAsking?: boolean | "in a layout effect";
}

/** With a client of its own at each render, as careless pages have. */
function useAskHook({ url, isAsking = false }: Props, { hooks, react }: ReactBundle): UseAskResult {
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: url, retryDelayMs: 5 });
	const answer = hooks.useAsk(ask(client));
	const useMountEffect = isAsking === "in a layout effect" ? react.useLayoutEffect : react.useEffect;
	useMountEffect(() => {
		if (isAsking) answer.ask(REQUEST);
	}, [isAsking, answer.ask]);
	return answer;
}

const MODES = (["19", "18"] as const).flatMap((version) =>
	[false, true].map((isStrict) => ({ version, isStrict })),
);

describe.each(MODES)("useAsk in React $version, strict mode $isStrict", ({ version, isStrict }) => {
	const page = usePage({ version, isStrict });
	let service: TestService;
	beforeEach(async () => {
		service = await startService();
	});
	afterEach(() => service.close());

	async function start(isAsking: Props["isAsking"] = false) {
		const rendered = page.render(useAskHook, { url: service.url, isAsking });
		await waitFor(() => rendered.renders).toBeGreaterThan(0);
		if (!isAsking) rendered.current.ask(REQUEST);
		await waitFor(() => service.questions.length).toBe(1);
		return rendered;
	}

	function getQuestion(number = 1): ServedQuestion {
		const question = service.questions[number - 1];
		if (question === undefined) throw new Error(`There is no question ${number}.`);
		return question;
	}

	it("shows what was found, the text as it comes, then its sources and its bill", async () => {
		const rendered = await start();
		expect(rendered.current).toMatchObject({ status: "running", text: "", passages: [], answer: undefined });
		getQuestion().emit({ type: "ask.passages", passages: [PASSAGE] });
		await waitFor(() => rendered.current.passages).toEqual([PASSAGE]);
		getQuestion().emit({ type: "text.delta", text: "Let me " });
		await waitFor(() => rendered.pageText).toBe("Let me ");
		getQuestion().emit({ type: "text.reset" });
		getQuestion().emit({ type: "text.delta", text: "Five " });
		await waitFor(() => rendered.pageText).toBe("Five ");
		const answer = createAnswer("Five days [1].", {
			passages: [PASSAGE],
			citations: [CITATION],
			receipt: [ROW],
		});
		getQuestion().emit({ type: "ask.completed", answer });
		await waitFor(() => rendered.current.status).toBe("completed");
		expect(rendered.pageText).toBe("Five days [1].");
		expect(rendered.current).toMatchObject({
			citations: [CITATION],
			receipt: [ROW],
			answer,
			error: undefined,
		});
	});

	it("renders a burst of 1,000 pieces in a few steps", async () => {
		const rendered = await start();
		const before = rendered.renders;
		const words = Array.from({ length: 1000 }, (_, index) => `${index} `);
		for (const text of words) getQuestion().emit({ type: "text.delta", text });
		await waitFor(() => rendered.pageText).toBe(words.join(""));
		expect(rendered.renders - before).toBeLessThan(50);
	});

	it.each([true, "in a layout effect"] as const)(
		"asks once where an effect does, however often it is mounted: %s",
		async (isAsking) => {
			const rendered = await start(isAsking);
			getQuestion().emit({ type: "ask.completed", answer: createAnswer("Five days.") });
			await waitFor(() => rendered.current.status).toBe("completed");
			expect(service.questions.map(({ question }) => question)).toEqual(["How long?"]);
		},
	);

	it("ends an answer that is unmounted, and what it costs", async () => {
		const rendered = await start();
		expect(getQuestion().isOpen).toBe(true);
		rendered.unmount();
		await waitFor(() => getQuestion().isOpen).toBe(false);
	});

	it("does not ask for what was unmounted before it was asked", async () => {
		const rendered = page.render(useAskHook, { url: service.url });
		await waitFor(() => rendered.renders).toBeGreaterThan(0);
		rendered.current.ask(REQUEST);
		rendered.unmount();
		await pause();
		expect(service.requests).toEqual([]);
	});

	it.each([
		["cancel", "cancelled", "Five "],
		["reset", "idle", ""],
	] as const)("ends an answer by %s", async (action, status, text) => {
		const rendered = await start();
		getQuestion().emit({ type: "text.delta", text: "Five " });
		await waitFor(() => rendered.pageText).toBe("Five ");
		rendered.current[action]();
		await waitFor(() => rendered.current.status).toBe(status);
		await waitFor(() => getQuestion().isOpen).toBe(false);
		expect(rendered.current).toMatchObject({ text, error: undefined });
	});

	it("asks anew in place of the question before, which ends", async () => {
		const rendered = await start();
		getQuestion().emit({ type: "text.delta", text: "Old." });
		await waitFor(() => rendered.pageText).toBe("Old.");
		rendered.current.ask({ ...REQUEST, question: "And now?" });
		await waitFor(() => service.questions.length).toBe(2);
		await waitFor(() => getQuestion(1).isOpen).toBe(false);
		getQuestion(2).emit({ type: "ask.completed", answer: createAnswer("New.") });
		await waitFor(() => rendered.current.status).toBe("completed");
		expect(rendered.pageText).toBe("New.");
	});

	it("asks with the client of the last render", async () => {
		const other = await startService();
		const rendered = await start();
		const before = rendered.renders;
		rendered.rerender({ url: other.url, isAsking: false });
		await waitFor(() => rendered.renders).toBeGreaterThan(before);
		rendered.current.ask(REQUEST);
		await waitFor(() => other.questions.length).toBe(1);
		expect(service.questions).toHaveLength(1);
		await other.close();
	});

	it("shows why answering failed, in the stream and before it", async () => {
		const error = { code: "model_failed", message: "The model broke.", hint: "Mend it." };
		const rendered = await start();
		getQuestion().emit({ type: "ask.failed", error });
		await waitFor(() => rendered.current.status).toBe("failed");
		expect(rendered.current.error).toMatchObject(error);
		service.refusal = { code: "missing_scope", message: "This key may not.", hint: "Make another key." };
		rendered.current.ask(REQUEST);
		await waitFor(() => rendered.current.error?.code).toBe("missing_scope");
		expect(rendered.current.error).toMatchObject(service.refusal);
	});

	it("says that it was given what cannot be sent", async () => {
		const rendered = page.render(useAskHook, { url: service.url });
		await waitFor(() => rendered.renders).toBeGreaterThan(0);
		rendered.current.ask({ ...REQUEST, question: 1n as unknown as string });
		await waitFor(() => rendered.current.error).toMatchObject({
			code: "configuration",
			message: /^`ask` was given/,
		});
	});

	it("renders idle on a server", () => {
		expect(page.renderToString(useAskHook, { url: service.url, isAsking: true })).toContain(
			'data-status="idle"',
		);
		expect(service.requests).toEqual([]);
	});

	// React 18 hides nothing.
	if (version === "19")
		it("ends an answer that is hidden, and keeps its text", async () => {
			const rendered = await start();
			getQuestion().emit({ type: "text.delta", text: "Five " });
			await waitFor(() => rendered.pageText).toBe("Five ");
			rendered.setHidden(true);
			await waitFor(() => getQuestion().isOpen).toBe(false);
			rendered.setHidden(false);
			await waitFor(() => rendered.current.status).toBe("cancelled");
			expect(rendered.current.text).toBe("Five ");
		});
});
