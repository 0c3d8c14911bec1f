import {
	type AskRequest,
	ask,
	type Citation,
	createClient,
	type FoundPassage,
	type ReceiptRow,
} from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pause, until, usePage } from "./test-support/page";
import type { ReactBundle } from "./test-support/react-versions";
import { type ServedQuestion, startService, type TestService, toAnswer } from "./test-support/service";
import type { LiveAnswer } from "./use-ask";

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
function useDesk({ url, isAsking = false }: Props, { hooks, react }: ReactBundle): LiveAnswer {
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: url, retryDelayMs: 5 });
	const answer = hooks.useAsk(ask(client));
	const useMount = isAsking === "in a layout effect" ? react.useLayoutEffect : react.useEffect;
	useMount(() => {
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
		const shown = page.show(useDesk, { url: service.url, isAsking });
		await until(() => shown.renders).toBeGreaterThan(0);
		if (!isAsking) shown.now.ask(REQUEST);
		await until(() => service.questions.length).toBe(1);
		return shown;
	}

	function served(number = 1): ServedQuestion {
		const question = service.questions[number - 1];
		if (question === undefined) throw new Error(`There is no question ${number}.`);
		return question;
	}

	it("shows what was found, the text as it comes, then its sources and its bill", async () => {
		const shown = await start();
		expect(shown.now).toMatchObject({ status: "running", text: "", passages: [], answer: undefined });
		served().happen({ type: "ask.passages", passages: [PASSAGE] });
		await until(() => shown.now.passages).toEqual([PASSAGE]);
		served().happen({ type: "text.delta", text: "Let me " });
		await until(() => shown.pageText).toBe("Let me ");
		served().happen({ type: "text.reset" });
		served().happen({ type: "text.delta", text: "Five " });
		await until(() => shown.pageText).toBe("Five ");
		const answer = toAnswer("Five days [1].", { passages: [PASSAGE], citations: [CITATION], receipt: [ROW] });
		served().happen({ type: "ask.completed", answer });
		await until(() => shown.now.status).toBe("completed");
		expect(shown.pageText).toBe("Five days [1].");
		expect(shown.now).toMatchObject({ citations: [CITATION], receipt: [ROW], answer, error: undefined });
	});

	it("renders a burst of 1,000 pieces in a few steps", async () => {
		const shown = await start();
		const before = shown.renders;
		const words = Array.from({ length: 1000 }, (_, index) => `${index} `);
		for (const text of words) served().happen({ type: "text.delta", text });
		await until(() => shown.pageText).toBe(words.join(""));
		expect(shown.renders - before).toBeLessThan(50);
	});

	it.each([true, "in a layout effect"] as const)(
		"asks once where an effect does, however often it is mounted: %s",
		async (isAsking) => {
			const shown = await start(isAsking);
			served().happen({ type: "ask.completed", answer: toAnswer("Five days.") });
			await until(() => shown.now.status).toBe("completed");
			expect(service.questions.map(({ question }) => question)).toEqual(["How long?"]);
		},
	);

	it("ends an answer that is unmounted, and what it costs", async () => {
		const shown = await start();
		expect(served().isOpen).toBe(true);
		shown.unmount();
		await until(() => served().isOpen).toBe(false);
	});

	it("does not ask for what was unmounted before it was asked", async () => {
		const shown = page.show(useDesk, { url: service.url });
		await until(() => shown.renders).toBeGreaterThan(0);
		shown.now.ask(REQUEST);
		shown.unmount();
		await pause();
		expect(service.requests).toEqual([]);
	});

	it.each([
		["cancel", "cancelled", "Five "],
		["reset", "idle", ""],
	] as const)("ends an answer by %s", async (action, status, text) => {
		const shown = await start();
		served().happen({ type: "text.delta", text: "Five " });
		await until(() => shown.pageText).toBe("Five ");
		shown.now[action]();
		await until(() => shown.now.status).toBe(status);
		await until(() => served().isOpen).toBe(false);
		expect(shown.now).toMatchObject({ text, error: undefined });
	});

	it("asks anew in place of the question before, which ends", async () => {
		const shown = await start();
		served().happen({ type: "text.delta", text: "Old." });
		await until(() => shown.pageText).toBe("Old.");
		shown.now.ask({ ...REQUEST, question: "And now?" });
		await until(() => service.questions.length).toBe(2);
		await until(() => served(1).isOpen).toBe(false);
		served(2).happen({ type: "ask.completed", answer: toAnswer("New.") });
		await until(() => shown.now.status).toBe("completed");
		expect(shown.pageText).toBe("New.");
	});

	it("asks with the client of the last render", async () => {
		const other = await startService();
		const shown = await start();
		const before = shown.renders;
		shown.rerender({ url: other.url, isAsking: false });
		await until(() => shown.renders).toBeGreaterThan(before);
		shown.now.ask(REQUEST);
		await until(() => other.questions.length).toBe(1);
		expect(service.questions).toHaveLength(1);
		await other.close();
	});

	it("shows why answering failed, in the stream and before it", async () => {
		const error = { code: "model_failed", message: "The model broke.", hint: "Mend it." };
		const shown = await start();
		served().happen({ type: "ask.failed", error });
		await until(() => shown.now.status).toBe("failed");
		expect(shown.now.error).toMatchObject(error);
		service.refusal = { code: "missing_scope", message: "This key may not.", hint: "Make another key." };
		shown.now.ask(REQUEST);
		await until(() => shown.now.error?.code).toBe("missing_scope");
		expect(shown.now.error).toMatchObject(service.refusal);
	});

	it("says that it was given what cannot be sent", async () => {
		const shown = page.show(useDesk, { url: service.url });
		await until(() => shown.renders).toBeGreaterThan(0);
		shown.now.ask({ ...REQUEST, question: 1n as unknown as string });
		await until(() => shown.now.error).toMatchObject({ code: "configuration", message: /^`ask` was given/ });
	});

	it("renders idle on a server", () => {
		expect(page.renderToString(useDesk, { url: service.url, isAsking: true })).toContain(
			'data-status="idle"',
		);
		expect(service.requests).toEqual([]);
	});

	// React 18 hides nothing.
	if (version === "19")
		it("ends an answer that is hidden, and keeps its text", async () => {
			const shown = await start();
			served().happen({ type: "text.delta", text: "Five " });
			await until(() => shown.pageText).toBe("Five ");
			shown.setHidden(true);
			await until(() => served().isOpen).toBe(false);
			shown.setHidden(false);
			await until(() => shown.now.status).toBe("cancelled");
			expect(shown.now.text).toBe("Five ");
		});
});
