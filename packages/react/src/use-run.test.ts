import {
	type Approval,
	agents,
	type Citation,
	createClient,
	type ReceiptRow,
	type RunInput,
	runs,
} from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunHandle } from "./run-state";
import { pause, usePage, waitFor } from "./test-support/page";
import type { ReactBundle } from "./test-support/react-versions";
import { startService, type TestService } from "./test-support/service";
import type { UseRunOptions, UseRunResult } from "./use-run";

const CITATION: Citation = {
	n: 1,
	passage_id: "psg_1",
	document_id: "doc_1",
	title: "Refunds",
	place: { start: 0, end: 9 },
	text: "Five days.",
	support: "supported",
};
const ROW = { stage: "answer", payer: "workspace", input_tokens: 3, output_tokens: 2 } as ReceiptRow;
const APPROVAL: Approval = {
	id: "apr_3",
	node: "refund",
	tool: "refund_order",
	arguments: { order: "A1" },
	expires_at: "2030-01-01T00:00:00Z",
};
const FAILURE = { code: "model_failed", message: "The model broke.", hint: "Mend it." };

interface Props {
	readonly url: string;
	readonly agent?: string;
	readonly rejoin?: RunHandle | null | undefined;
	readonly onStart?: (handle: RunHandle, agent: string) => void;
	/** Starts one by itself, as a page does that is opened with a question. */
	readonly question?: string;
	readonly isWithoutRuns?: boolean;
}

/** With a client of its own at each render, as careless pages have. */
function useRunHook(props: Props, { hooks, react }: ReactBundle): UseRunResult {
	const { url, agent = "desk", rejoin, onStart, question, isWithoutRuns = false } = props;
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: url, retryDelayMs: 1 });
	const options = { onStart, rejoin, ...(isWithoutRuns ? {} : { runs: runs(client) }) } as UseRunOptions;
	const run = hooks.useRun(agents(client), agent, options);
	react.useEffect(() => {
		if (question !== undefined) run.start({ input: question });
	}, [question, run.start]);
	return run;
}

const MODES = (["19", "18"] as const).flatMap((version) =>
	[false, true].map((isStrict) => ({ version, isStrict })),
);

describe.each(MODES)("useRun in React $version, strict mode $isStrict", ({ version, isStrict }) => {
	const page = usePage({ version, isStrict });
	let service: TestService;
	beforeEach(async () => {
		service = await startService();
	});
	afterEach(() => service.close());

	const render = (props: Omit<Props, "url">, html?: string) =>
		page.render(useRunHook, { url: service.url, ...props }, html);

	/** Shows a run, and starts one. */
	async function start(props: Omit<Props, "url"> = {}) {
		const rendered = render(props);
		await waitFor(() => rendered.renders).toBeGreaterThan(0);
		expect(rendered.current).toMatchObject({
			status: "idle",
			text: "",
			result: undefined,
			handle: undefined,
		});
		rendered.current.start({ input: "How long?" });
		await waitFor(() => rendered.current.status).toBe("running");
		await waitFor(() => service.runs.length).toBe(1);
		return rendered;
	}

	function getRun(number = 1) {
		const run = service.runs[number - 1];
		if (run === undefined) throw new Error(`There is no run ${number}.`);
		return run;
	}

	const waitForHandle = (rendered: { readonly current: UseRunResult }) =>
		waitFor(() => rendered.current.handle).toEqual({ run_id: "run_1", run_token: "rt_1" });

	it("shows the text as it comes, then its sources and its bill", async () => {
		const rendered = await start();
		getRun().emit("node.started", { node: "desk", invocation: 1, kind: "coordinator" });
		getRun().emit("text.delta", { node: "helper", invocation: 2, text: "aside", final: false });
		getRun().sendText("Let me ");
		await waitFor(() => rendered.pageText).toBe("Let me ");
		getRun().emit("text.reset", { node: "desk", invocation: 1 });
		getRun().sendText("Five ");
		await waitFor(() => rendered.pageText).toBe("Five ");
		getRun().sendText("days [1].");
		getRun().end("completed", { output: "Five days [1].", citations: [CITATION], receipt: [ROW] });
		await waitFor(() => rendered.current.status).toBe("completed");
		expect(rendered.pageText).toBe("Five days [1].");
		expect(rendered.current).toMatchObject({
			citations: [CITATION],
			receipt: [ROW],
			result: { run_id: "run_1", status: "completed" },
			error: undefined,
		});
		expect(rendered.current.events.map(({ type }) => type)).toEqual([
			"run.started",
			"node.started",
			"text.reset",
			"run.completed",
		]);
	});

	it("renders a burst of 1,000 pieces in a few steps", async () => {
		const rendered = await start();
		await waitForHandle(rendered);
		const before = rendered.renders;
		const words = Array.from({ length: 1000 }, (_, index) => `${index} `);
		getRun().sendText(...words);
		await waitFor(() => rendered.pageText).toBe(words.join(""));
		expect(rendered.renders - before).toBeLessThan(50);
	});

	it("cancels with the run's token, and keeps the text", async () => {
		const rendered = await start();
		getRun().sendText("Five ");
		await waitFor(() => rendered.pageText).toBe("Five ");
		rendered.current.cancel();
		await waitFor(() => rendered.current.status).toBe("cancelled");
		expect(service.requests).toContain("POST /v1/runs/run_1/cancel");
		expect(rendered.current).toMatchObject({
			text: "Five ",
			result: { status: "cancelled" },
			error: undefined,
		});
	});

	it("shows why a run failed, and what it cost", async () => {
		const rendered = await start();
		getRun().end("failed", { error: FAILURE, receipt: [ROW] });
		await waitFor(() => rendered.current.status).toBe("failed");
		expect(rendered.current.error).toMatchObject(FAILURE);
		expect(rendered.current).toMatchObject({ receipt: [ROW], result: { status: "failed" } });
	});

	it("shows why a run could not be started, and can start again", async () => {
		service.refusal = { code: "missing_scope", message: "This key may not.", hint: "Make another key." };
		const rendered = render({ question: "How long?" });
		await waitFor(() => rendered.renders > 0 && rendered.current.status).toBe("failed");
		expect(rendered.current.error).toMatchObject(service.refusal);
		service.refusal = undefined;
		rendered.current.start({ input: "And now?" });
		await waitFor(() => service.runs.length).toBe(1);
		await waitForHandle(rendered);
		expect(rendered.current).toMatchObject({ status: "running", error: undefined });
	});

	it("pauses with what it waits for, where that is told", async () => {
		const rendered = await start();
		expect(rendered.current.approvals).toEqual([]);
		getRun().end("paused", { approvals: [APPROVAL] });
		await waitFor(() => rendered.current.status).toBe("paused");
		expect(rendered.current).toMatchObject({
			approvals: [APPROVAL],
			result: { status: "paused" },
			error: undefined,
		});
		rendered.current.start({ input: "Again?" });
		await waitFor(() => rendered.current.status).toBe("running");
		expect(rendered.current.approvals).toEqual([]);
	});

	it("starts one run where an effect does, however often it is mounted", async () => {
		const handles: RunHandle[] = [];
		const rendered = render({ question: "How long?", onStart: (handle) => handles.push(handle) });
		await waitFor(() => rendered.renders > 0 && rendered.current.handle?.run_id).toBe("run_1");
		getRun().sendText("Five days.");
		getRun().end("completed");
		await waitFor(() => rendered.current.status).toBe("completed");
		expect(rendered.pageText).toBe("Five days.");
		expect(service.runs.map(({ input }) => input)).toEqual(["How long?"]);
		expect(getRun().readFrom).toEqual([0]);
		expect(handles).toEqual([{ run_id: "run_1", run_token: "rt_1" }]);
	});

	it("leaves a run when it is unmounted, and shows the whole of it when it is mounted again", async () => {
		const first = await start();
		getRun().sendText("Five ");
		await waitForHandle(first);
		const rejoin = first.current.handle;
		first.unmount();
		await waitFor(() => getRun().readers).toBe(0);
		getRun().sendText("working ");
		const second = render({ rejoin });
		await waitFor(() => second.pageText).toBe("Five working ");
		expect(second.current.status).toBe("running");
		getRun().sendText("days.");
		getRun().end("completed");
		await waitFor(() => second.current.status).toBe("completed");
		expect(second.pageText).toBe("Five working days.");
		expect(service.runs).toHaveLength(1);
		expect(getRun()).toMatchObject({ isCancelled: false, readFrom: [0, 0] });
	});

	it("rejoins a run that has ended", async () => {
		const first = await start();
		await waitForHandle(first);
		getRun().sendText("Five days.");
		getRun().end("completed", { citations: [CITATION] });
		first.unmount();
		const second = render({ rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await waitFor(() => second.renders > 0 && second.current.status).toBe("completed");
		expect(second.current).toMatchObject({ text: "Five days.", citations: [CITATION] });
	});

	it("cancels a run that it rejoined", async () => {
		const first = await start();
		await waitForHandle(first);
		first.unmount();
		const second = render({ rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await waitFor(() => second.renders > 0 && getRun().readers).toBe(1);
		second.current.cancel();
		await waitFor(() => second.current.status).toBe("cancelled");
	});

	it("tells the handle of a run that was left before it began", async () => {
		service.holdsRuns = true;
		const handles: RunHandle[] = [];
		const rendered = await start({ onStart: (handle) => handles.push(handle) });
		rendered.unmount();
		await pause();
		expect(getRun().readers).toBe(1);
		service.release();
		await waitFor(() => handles).toEqual([{ run_id: "run_1", run_token: "rt_1" }]);
		await waitFor(() => getRun().readers).toBe(0);
		expect(getRun().isCancelled).toBe(false);
	});

	it.each([false, true])(
		"starts anew in place of the run before, which is cancelled; held: %s",
		async (isHeld) => {
			service.holdsRuns = isHeld;
			const rendered = await start();
			if (!isHeld) getRun().sendText("Old.");
			if (!isHeld) await waitFor(() => rendered.pageText).toBe("Old.");
			rendered.current.start({ input: "And now?" });
			await waitFor(() => service.runs.length).toBe(2);
			service.release();
			getRun(2).sendText("New.");
			await waitFor(() => rendered.pageText).toBe("New.");
			await waitFor(() => getRun(1).isCancelled).toBe(true);
			getRun(2).end("completed");
			await waitFor(() => rendered.current.status).toBe("completed");
			expect(rendered.current.handle?.run_id).toBe("run_2");
			expect(rendered.pageText).toBe("New.");
		},
	);

	it("is idle after a reset, and the run is cancelled", async () => {
		const rendered = await start();
		await waitForHandle(rendered);
		rendered.current.reset();
		await waitFor(() => getRun().isCancelled).toBe(true);
		await waitFor(() => rendered.current.status).toBe("idle");
		expect(rendered.current).toMatchObject({ text: "", handle: undefined, events: [] });
	});

	it("leaves the run when another agent is shown", async () => {
		const rendered = await start();
		getRun().sendText("Five ");
		await waitForHandle(rendered);
		rendered.rerender({ url: service.url, agent: "other" });
		await waitFor(() => rendered.current.status).toBe("idle");
		await waitFor(() => getRun().readers).toBe(0);
		rendered.current.start({ input: "And you?" });
		await waitFor(() => service.runs.map(({ agent }) => agent)).toEqual(["desk", "other"]);
		expect(getRun().isCancelled).toBe(false);
	});

	it("starts with the client of the last render", async () => {
		const other = await startService();
		const rendered = await start();
		await waitForHandle(rendered);
		const before = rendered.renders;
		rendered.rerender({ url: other.url });
		await waitFor(() => rendered.renders).toBeGreaterThan(before);
		rendered.current.start({ input: "And you?" });
		await waitFor(() => other.runs.map(({ input }) => input)).toEqual(["And you?"]);
		await waitFor(() => getRun().isCancelled).toBe(true);
		await other.close();
	});

	it("rejoins a run that it is told of later, and not the one that it shows", async () => {
		const rendered = await start();
		await waitForHandle(rendered);
		getRun().sendText("Five ");
		await waitFor(() => rendered.pageText).toBe("Five ");
		const before = rendered.renders;
		rendered.rerender({ url: service.url, rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await waitFor(() => rendered.renders).toBeGreaterThan(before);
		expect(rendered.pageText).toBe("Five ");
		rendered.current.start({ input: "And now?" });
		await waitFor(() => rendered.current.handle?.run_id).toBe("run_2");
		await waitFor(() => getRun().isCancelled).toBe(true);
		expect(getRun().readFrom).toEqual([0]);
		rendered.rerender({ url: service.url, rejoin: { run_id: "run_2", run_token: "rt_2" } });
		getRun(2).sendText("Three.");
		await waitFor(() => rendered.pageText).toBe("Three.");
		rendered.rerender({ url: service.url, rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await waitFor(() => rendered.current.status).toBe("cancelled");
		expect(rendered.current.events.at(-1)?.type).toBe("run.cancelled");
		expect(getRun(2)).toMatchObject({ isCancelled: false, readFrom: [0] });
		expect(service.runs).toHaveLength(2);
	});

	/** Starts a run, says something, and breaks the connection for good. */
	async function loseConnection(props: Omit<Props, "url"> = {}) {
		const rendered = await start(props);
		await waitForHandle(rendered);
		getRun().sendText("Five ");
		getRun().emit("tool.called", { callee: "lookup" });
		await waitFor(() => rendered.pageText).toBe("Five ");
		service.setOffline(true);
		await waitFor(() => rendered.current.status).toBe("failed");
		expect(rendered.current).toMatchObject({
			text: "Five ",
			result: undefined,
			error: { code: "stream_lost" },
		});
		service.setOffline(false);
		return rendered;
	}

	/** The rest of a run that is shown again, the whole of which is there in the end. */
	async function finish(rendered: { readonly current: UseRunResult; readonly pageText: string }) {
		await waitFor(() => getRun().readers).toBe(1);
		expect(rendered.current).toMatchObject({ status: "running", error: undefined, canReconnect: false });
		getRun().sendText("days.");
		await waitFor(() => rendered.pageText).toBe("Five days.");
		getRun().end("completed");
		await waitFor(() => rendered.current.status).toBe("completed");
		expect(rendered.current.events.map(({ type }) => type)).toEqual([
			"run.started",
			"tool.called",
			"run.completed",
		]);
		expect(service.runs).toHaveLength(1);
	}

	it.each([
		["it is told to", (rendered: { readonly current: UseRunResult }) => rendered.current.reconnect()],
		["the browser is online again", () => page.emitOnline()],
	])("goes on with a run whose connection was lost when %s", async (_, reconnect) => {
		const rendered = await loseConnection();
		expect(rendered.current.canReconnect).toBe(true);
		reconnect(rendered);
		await finish(rendered);
		expect(getRun().readFrom).toEqual([0, 3]);
		page.emitOnline();
		rendered.current.reconnect();
		await pause();
		expect(rendered.current.status).toBe("completed");
		expect(getRun().readFrom).toEqual([0, 3]);
	});

	it("shows a run whose connection was lost when its handle is given again", async () => {
		const rendered = await loseConnection();
		rendered.rerender({ url: service.url, rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await finish(rendered);
		expect(getRun().readFrom).toEqual([0, 0]);
	});

	it("can be told to again where the service is still not there", async () => {
		const rendered = await loseConnection();
		service.setOffline(true);
		rendered.current.reconnect();
		await waitFor(() => rendered.current.error?.code).toBe("connection_failed");
		service.setOffline(false);
		rendered.current.reconnect();
		await finish(rendered);
	});

	it.each([
		["start", "running"],
		["reset", "idle"],
		["cancel", "cancelled"],
	] as const)("%s cancels a run whose connection was lost", async (action, status) => {
		const rendered = await loseConnection();
		rendered.current[action]({ input: "And now?" });
		await waitFor(() => getRun().isCancelled).toBe(true);
		await waitFor(() => rendered.current.status).toBe(status);
		await waitFor(() => getRun().readers).toBe(0);
		await waitFor(() => service.runs.length).toBe(action === "start" ? 2 : 1);
		expect(rendered.current.canReconnect).toBe(false);
	});

	it("cannot go on without `runs`, nor where a run has failed or is not there", async () => {
		const disconnected = await loseConnection({ isWithoutRuns: true });
		expect(disconnected.current.canReconnect).toBe(false);
		const unknown = render({ rejoin: { run_id: "run_9", run_token: "rt_9" } });
		await waitFor(() => unknown.renders > 0 && unknown.current.error?.code).toBe("run_not_found");
		expect(unknown.current.canReconnect).toBe(false);
		unknown.current.start({ input: "Why?" });
		await waitFor(() => unknown.current.handle?.run_id).toBe("run_2");
		getRun(2).end("failed", { error: FAILURE });
		await waitFor(() => unknown.current.error).toMatchObject(FAILURE);
		expect(unknown.current.canReconnect).toBe(false);
		const before = [...service.requests];
		disconnected.current.reconnect();
		unknown.current.reconnect();
		page.emitOnline();
		disconnected.current.reset();
		unknown.current.reset();
		await pause();
		expect(service.requests).toEqual(before);
	});

	it("tells the agent of a late start, by which handles are kept", async () => {
		service.holdsRuns = true;
		const handles: Record<string, RunHandle> = {};
		const onStart = (handle: RunHandle, agent: string) => {
			handles[agent] = handle;
			rendered.rerender({ url: service.url, agent: "other", onStart, rejoin: handles.other });
		};
		const rendered = await start({ onStart });
		rendered.rerender({ url: service.url, agent: "other", onStart, rejoin: undefined });
		await waitFor(() => rendered.current.status).toBe("idle");
		rendered.current.start({ input: "And you?" });
		await waitFor(() => service.runs.length).toBe(2);
		service.release();
		getRun(1).sendText("Five days.");
		getRun(2).sendText("No.");
		await waitFor(() => Object.keys(handles).sort()).toEqual(["desk", "other"]);
		await waitFor(() => rendered.pageText).toBe("No.");
		expect(rendered.current.handle?.run_id).toBe("run_2");
		await waitFor(() => [getRun(1).readers, getRun(2).readers]).toEqual([0, 1]);
	});

	const circularInput: Record<string, unknown> = {};
	circularInput.again = circularInput;
	it.each([
		["nothing", undefined, /^`start` needs a request/],
		["a function", () => 1, /^`start` needs a request/],
		["a BigInt", { input: 1n }, /^`start` needs a request, .*BigInt/],
		["a circle", { input: circularInput }, /^`start` needs a request, .*circular/],
	])("says that it was given %s", async (_, request, message) => {
		const rendered = render({});
		await waitFor(() => rendered.renders).toBeGreaterThan(0);
		rendered.current.start(request as unknown as RunInput);
		await waitFor(() => rendered.current.status).toBe("failed");
		expect(rendered.current.error?.code).toBe("configuration");
		expect(rendered.current.error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it("shows why a run cannot be rejoined", async () => {
		const rendered = render({ rejoin: { run_id: "run_9", run_token: "rt_9" } });
		await waitFor(() => rendered.renders > 0 && rendered.current.status).toBe("failed");
		expect(rendered.current.error).toMatchObject({ code: "run_not_found", hint: "Look at its id." });
		const withoutRuns = render({ rejoin: { run_id: "run_9" }, isWithoutRuns: true });
		await waitFor(() => withoutRuns.renders > 0 && withoutRuns.current.status).toBe("failed");
		expect(withoutRuns.current.error).toMatchObject({ code: "configuration", message: /needs `runs`/ });
	});

	it.each([
		["throws", false],
		["rejects", true],
	])("leaves a run that goes on when what is told of it %s", async (_, isAsync) => {
		const thrown = new Error("The storage is full.");
		const onStart = () => {
			if (isAsync) return Promise.reject(thrown);
			throw thrown;
		};
		const rendered = await start({ onStart });
		getRun().sendText("Five days.");
		await waitFor(() => rendered.pageText).toBe("Five days.");
		expect(rendered.current.status).toBe("running");
		expect(page.takeConsoleErrors()).toEqual([thrown]);
	});

	it("renders nothing but an idle run on a server, and takes it over in the browser", async () => {
		const rejoin = { run_id: "run_1", run_token: "rt_1" };
		const html = page.renderToString(useRunHook, { url: service.url, question: "Why?", rejoin });
		expect(html).toContain('<p data-status="idle"></p>');
		expect(service.requests).toEqual([]);
		const first = await start();
		getRun().sendText("Five ");
		await waitForHandle(first);
		const hydrated = render({ rejoin }, html);
		await waitFor(() => hydrated.pageText).toBe("Five ");
	});

	// React 18 hides nothing.
	if (version === "19")
		describe("when it is hidden and shown again", () => {
			it("goes on where it was", async () => {
				const rendered = await start();
				getRun().sendText("Five ");
				await waitFor(() => rendered.pageText).toBe("Five ");
				rendered.setHidden(true);
				await waitFor(() => getRun().readers).toBe(0);
				getRun().sendText("working ");
				rendered.setHidden(false);
				await waitFor(() => getRun().readers).toBe(1);
				getRun().sendText("days.");
				getRun().end("completed");
				await waitFor(() => rendered.current.status).toBe("completed");
				expect(rendered.current.text).toBe("Five working days.");
				expect(getRun().readFrom).toEqual([0, 2]);
			});

			it("has at least the end, without `runs`", async () => {
				const rendered = await start({ isWithoutRuns: true });
				getRun().sendText("Five ");
				await waitFor(() => rendered.pageText).toBe("Five ");
				rendered.setHidden(true);
				await waitFor(() => getRun().readers).toBe(0);
				getRun().sendText("days.");
				rendered.setHidden(false);
				await waitFor(() => getRun().readers).toBe(1);
				getRun().end("completed");
				await waitFor(() => rendered.current.status).toBe("completed");
				expect(rendered.current.text).toBe("Five days.");
			});
		});
});
