import { type Approval, agents, createClient, runs, threads } from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pause, usePage, waitFor } from "../test-support/page";
import type { ReactBundle } from "../test-support/react-versions";
import { startService, type TestService } from "../test-support/service";
import type { ThreadHandle } from "./thread-state";
import type { UseThreadResult } from "./use-thread";

interface Props {
	readonly url: string;
	readonly thread?: ThreadHandle | null | undefined;
	readonly onThread?: (handle: ThreadHandle) => void;
}

/** With a client of its own at each render, as careless pages have; the page shows the last answer. */
function useThreadHook({ url, thread, onThread }: Props, { hooks }: ReactBundle) {
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: url, retryDelayMs: 1 });
	const service = { threads: threads(client), agents: agents(client), runs: runs(client) };
	const chat = hooks.useThread(service, { agent: "desk", thread, onThread });
	return { ...chat, text: chat.messages.at(-1)?.text ?? "" };
}

const MODES = [
	{ version: "19", isStrict: false },
	{ version: "19", isStrict: true },
	{ version: "18", isStrict: true },
] as const;

const APPROVAL: Approval = {
	id: "apr_3",
	node: "refund",
	tool: "refund_order",
	arguments: { order: "A1" },
	expires_at: "2030-01-01T00:00:00Z",
};
const HANDLE = { thread_id: "thr_1", thread_token: "tht_1" };

describe.each(MODES)("useThread in React $version, strict mode $isStrict", ({ version, isStrict }) => {
	const page = usePage({ version, isStrict });
	let service: TestService;
	beforeEach(async () => {
		service = await startService();
	});
	afterEach(() => service.close());

	async function render(props: Omit<Props, "url"> = {}) {
		const rendered = page.render(useThreadHook, { url: service.url, ...props });
		await waitFor(() => rendered.renders).toBeGreaterThan(0);
		return rendered;
	}

	const read = ({ messages }: UseThreadResult) => messages.map(({ text, status }) => [text, status]);

	function getRun(number = 1) {
		const run = service.runs[number - 1];
		if (run === undefined) throw new Error(`There is no run ${number}.`);
		return run;
	}

	/** Sends a message, and answers it. */
	async function ask(chat: Awaited<ReturnType<typeof render>>, question: string, answer: string) {
		const number = service.runs.length + 1;
		chat.current.send(question);
		await waitFor(() => service.runs.length).toBe(number);
		getRun(number).sendText(answer);
		getRun(number).end("completed");
		await waitFor(() => chat.current.isAnswering).toBe(false);
		// The ids of the messages.
		await waitFor(() => chat.current.messages.every(({ id }) => id !== undefined)).toBe(true);
	}

	it("creates a thread with the first message, and shows what is sent at once", async () => {
		const handles: ThreadHandle[] = [];
		const chat = await render({ onThread: (handle) => handles.push(handle) });
		expect(chat.current).toMatchObject({ status: "idle", messages: [], isAnswering: false });
		service.holdsRuns = true;
		chat.current.send("How long?");
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "sending"],
			["", "sending"],
		]);
		expect(chat.current.isAnswering).toBe(true);
		await waitFor(() => service.runs.length).toBe(1);
		service.release();
		getRun().sendText("Five ");
		await waitFor(() => chat.pageText).toBe("Five ");
		getRun().sendText("days.");
		getRun().end("completed");
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "completed"],
			["Five days.", "completed"],
		]);
		expect(handles).toEqual([HANDLE]);
		expect(chat.current.handle).toEqual(HANDLE);
		await ask(chat, "And then?", "Six days.");
		expect(service.threads.list("thr_1").map(({ parent_id }) => parent_id)).toEqual([
			null,
			"msg_1",
			"msg_2",
			"msg_3",
		]);
		expect(handles).toHaveLength(1);
	});

	it("keeps the order of messages that are sent in one go", async () => {
		const chat = await render();
		chat.current.send("One?");
		chat.current.send("Two?");
		await waitFor(() => service.runs.length).toBe(2);
		for (const run of service.runs) run.end("completed");
		await waitFor(() => chat.current.isAnswering).toBe(false);
		expect(service.threads.list("thr_1").map(({ text, parent_id }) => [text, parent_id])).toEqual([
			["One?", null],
			["", "msg_1"],
			["Two?", "msg_2"],
			["", "msg_3"],
		]);
		expect(chat.current.messages.map(({ text }) => text)).toEqual(["One?", "", "Two?", ""]);
	});

	it("begins a branch at an edited message and at another answer, and switches between them", async () => {
		const chat = await render();
		await ask(chat, "How long?", "Five days.");
		const [question, answer] = chat.current.messages;
		chat.current.edit(question?.key ?? "", "How much?");
		await waitFor(() => service.runs.length).toBe(2);
		getRun(2).sendText("Ten euros.");
		getRun(2).end("completed");
		await waitFor(() => chat.current.messages.map(({ text }) => text)).toEqual(["How much?", "Ten euros."]);
		expect(chat.current.messages[0]?.versions).toHaveLength(2);
		chat.current.select(question?.key ?? "");
		await waitFor(() => chat.current.messages.map(({ text }) => text)).toEqual(["How long?", "Five days."]);
		chat.current.regenerate(answer?.key ?? "");
		await waitFor(() => service.runs.length).toBe(3);
		getRun(3).sendText("A week.");
		getRun(3).end("completed");
		await waitFor(() => chat.current.messages.map(({ text }) => text)).toEqual(["How long?", "A week."]);
		expect(chat.current.messages[1]?.versions).toHaveLength(2);
		await waitFor(() => chat.current.isAnswering).toBe(false);
		expect(service.threads.list("thr_1").map(({ id, parent_id }) => [id, parent_id])).toEqual([
			["msg_1", null],
			["msg_2", "msg_1"],
			["msg_3", null],
			["msg_4", "msg_3"],
			["msg_5", "msg_1"],
		]);
	});

	it("rejoins an answer that is being written when the page is loaded again", async () => {
		const first = await render();
		first.current.send("How long?");
		await waitFor(() => service.runs.length).toBe(1);
		getRun().sendText("Five ");
		await waitFor(() => first.pageText).toBe("Five ");
		first.unmount();
		await waitFor(() => getRun().readers).toBe(0);
		const second = await render({ thread: HANDLE });
		await waitFor(() => second.pageText).toBe("Five ");
		expect(second.current.isAnswering).toBe(true);
		getRun().sendText("days.");
		getRun().end("completed");
		await waitFor(() => read(second.current)).toEqual([
			["How long?", "completed"],
			["Five days.", "completed"],
		]);
		expect(service.runs).toHaveLength(1);
		expect(getRun().isCancelled).toBe(false);
	});

	it("stops, keeps the text, and answers once more", async () => {
		const chat = await render();
		chat.current.send("How long?");
		await waitFor(() => service.runs.length).toBe(1);
		getRun().sendText("Five ");
		await waitFor(() => chat.pageText).toBe("Five ");
		chat.current.stop();
		await waitFor(() => read(chat.current).at(-1)).toEqual(["Five ", "cancelled"]);
		chat.current.retry(chat.current.messages.at(-1)?.key ?? "");
		await waitFor(() => service.runs.length).toBe(2);
		getRun(2).sendText("Six days.");
		getRun(2).end("completed");
		await waitFor(() => read(chat.current).at(-1)).toEqual(["Six days.", "completed"]);
		expect(service.threads.list("thr_1")).toHaveLength(3);
	});

	it("stops what is not sent yet", async () => {
		const chat = await render();
		chat.current.send("How long?");
		chat.current.stop();
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "cancelled"],
			["", "cancelled"],
		]);
		await pause();
		expect(service.runs).toHaveLength(0);
		chat.current.retry(chat.current.messages[0]?.key ?? "");
		await waitFor(() => service.runs.length).toBe(1);
		getRun().end("completed");
		await waitFor(() => chat.current.isAnswering).toBe(false);
	});

	it("shows why a message was not sent, and sends it again", async () => {
		service.refusal = { code: "missing_scope", message: "This key may not.", hint: "Make another key." };
		const chat = await render();
		chat.current.send("How long?");
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "failed"],
			["", "failed"],
		]);
		expect(chat.current.messages[1]?.error).toMatchObject(service.refusal);
		service.refusal = undefined;
		chat.current.retry(chat.current.messages[1]?.key ?? "");
		await waitFor(() => service.runs.length).toBe(1);
		getRun().sendText("Five days.");
		getRun().end("completed");
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "completed"],
			["Five days.", "completed"],
		]);
	});

	it("continues an answer whose connection was lost when the browser is online again", async () => {
		const chat = await render();
		chat.current.send("How long?");
		await waitFor(() => service.runs.length).toBe(1);
		getRun().sendText("Five ");
		await waitFor(() => chat.pageText).toBe("Five ");
		service.setOffline(true);
		await waitFor(() => chat.current.messages[1]).toMatchObject({ status: "failed", canReconnect: true });
		expect(chat.pageText).toBe("Five ");
		service.setOffline(false);
		page.emitOnline();
		getRun().sendText("days.");
		getRun().end("completed");
		await waitFor(() => read(chat.current).at(-1)).toEqual(["Five days.", "completed"]);
		expect(service.runs).toHaveLength(1);
	});

	it("waits for a decision, and goes on after it", async () => {
		const chat = await render();
		chat.current.send("Pay it back?");
		await waitFor(() => service.runs.length).toBe(1);
		getRun().end("paused", { approvals: [APPROVAL] });
		await waitFor(() => chat.current.messages[1]).toMatchObject({ status: "waiting", approvals: [APPROVAL] });
		expect(chat.current.isAnswering).toBe(true);
		chat.unmount();
		// The thread says that the answer waits, and the run for what.
		const again = await render({ thread: HANDLE });
		await waitFor(() => again.current.messages[1]).toMatchObject({
			status: "waiting",
			approvals: [APPROVAL],
		});
		again.current.decide(again.current.messages[1]?.key ?? "", "apr_3", { decision: "approve" });
		await waitFor(() => service.requests).toContain("POST /v1/runs/run_1/approvals/apr_3");
		await waitFor(() => again.current.messages[1]).toMatchObject({ status: "in_progress", approvals: [] });
		getRun().sendText("Paid.");
		getRun().end("completed");
		await waitFor(() => read(again.current).at(-1)).toEqual(["Paid.", "completed"]);
	});

	it("rates an answer", async () => {
		const chat = await render();
		await ask(chat, "How long?", "Five days.");
		chat.current.rate(chat.current.messages[1]?.key ?? "", "down", "Too slow.");
		await waitFor(() => service.feedback).toEqual([{ run: "run_1", rating: "down", comment: "Too slow." }]);
		expect(chat.current.messages[1]?.rating).toBe("down");
	});

	it("shows another thread, and a new one", async () => {
		const chat = await render();
		await ask(chat, "How long?", "Five days.");
		const { renders } = chat;
		chat.rerender({ url: service.url, thread: HANDLE });
		await waitFor(() => chat.renders).toBeGreaterThan(renders);
		expect(read(chat.current)).toHaveLength(2);
		chat.rerender({ url: service.url, thread: null });
		await waitFor(() => read(chat.current)).toEqual([]);
		await ask(chat, "And now?", "Six days.");
		expect(service.threads.list("thr_2")).toHaveLength(2);
		chat.rerender({ url: service.url, thread: HANDLE });
		await waitFor(() => read(chat.current)).toEqual([
			["How long?", "completed"],
			["Five days.", "completed"],
		]);
	});

	it("says why a thread cannot be read", async () => {
		const chat = await render({ thread: { thread_id: "thr_9" } });
		await waitFor(() => chat.current.status).toBe("failed");
		expect(chat.current.error).toMatchObject({ code: "thread_not_found" });
	});
});
