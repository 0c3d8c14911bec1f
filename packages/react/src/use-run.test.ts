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
import { pause, until, usePage } from "./test-support/page";
import type { ReactBundle } from "./test-support/react-versions";
import { startService, type TestService } from "./test-support/service";
import type { LiveRun, UseRunOptions } from "./use-run";

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
function useDesk(props: Props, { hooks, react }: ReactBundle): LiveRun {
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

	const show = (props: Omit<Props, "url">, html?: string) =>
		page.show(useDesk, { url: service.url, ...props }, html);

	/** Shows a run, and starts one. */
	async function start(props: Omit<Props, "url"> = {}) {
		const shown = show(props);
		await until(() => shown.renders).toBeGreaterThan(0);
		expect(shown.now).toMatchObject({ status: "idle", text: "", result: undefined, handle: undefined });
		shown.now.start({ input: "How long?" });
		await until(() => shown.now.status).toBe("running");
		await until(() => service.runs.length).toBe(1);
		return shown;
	}

	function served(number = 1) {
		const run = service.runs[number - 1];
		if (run === undefined) throw new Error(`There is no run ${number}.`);
		return run;
	}

	const untilHandle = (shown: { readonly now: LiveRun }) =>
		until(() => shown.now.handle).toEqual({ run_id: "run_1", run_token: "rt_1" });

	it("shows the text as it comes, then its sources and its bill", async () => {
		const shown = await start();
		served().happen("node.started", { node: "desk", invocation: 1, kind: "coordinator" });
		served().happen("text.delta", { node: "helper", invocation: 2, text: "aside", final: false });
		served().say("Let me ");
		await until(() => shown.pageText).toBe("Let me ");
		served().happen("text.reset", { node: "desk", invocation: 1 });
		served().say("Five ");
		await until(() => shown.pageText).toBe("Five ");
		served().say("days [1].");
		served().end("completed", { output: "Five days [1].", citations: [CITATION], receipt: [ROW] });
		await until(() => shown.now.status).toBe("completed");
		expect(shown.pageText).toBe("Five days [1].");
		expect(shown.now).toMatchObject({
			citations: [CITATION],
			receipt: [ROW],
			result: { run_id: "run_1", status: "completed" },
			error: undefined,
		});
		expect(shown.now.events.map(({ type }) => type)).toEqual([
			"run.started",
			"node.started",
			"text.reset",
			"run.completed",
		]);
	});

	it("renders a burst of 1,000 pieces in a few steps", async () => {
		const shown = await start();
		await untilHandle(shown);
		const before = shown.renders;
		const words = Array.from({ length: 1000 }, (_, index) => `${index} `);
		served().say(...words);
		await until(() => shown.pageText).toBe(words.join(""));
		expect(shown.renders - before).toBeLessThan(50);
	});

	it("cancels with the run's token, and keeps the text", async () => {
		const shown = await start();
		served().say("Five ");
		await until(() => shown.pageText).toBe("Five ");
		shown.now.cancel();
		await until(() => shown.now.status).toBe("cancelled");
		expect(service.requests).toContain("POST /v1/runs/run_1/cancel");
		expect(shown.now).toMatchObject({ text: "Five ", result: { status: "cancelled" }, error: undefined });
	});

	it("shows why a run failed, and what it cost", async () => {
		const shown = await start();
		served().end("failed", { error: FAILURE, receipt: [ROW] });
		await until(() => shown.now.status).toBe("failed");
		expect(shown.now.error).toMatchObject(FAILURE);
		expect(shown.now).toMatchObject({ receipt: [ROW], result: { status: "failed" } });
	});

	it("shows why a run could not be started, and can start again", async () => {
		service.refusal = { code: "missing_scope", message: "This key may not.", hint: "Make another key." };
		const shown = show({ question: "How long?" });
		await until(() => shown.renders > 0 && shown.now.status).toBe("failed");
		expect(shown.now.error).toMatchObject(service.refusal);
		service.refusal = undefined;
		shown.now.start({ input: "And now?" });
		await until(() => service.runs.length).toBe(1);
		await untilHandle(shown);
		expect(shown.now).toMatchObject({ status: "running", error: undefined });
	});

	it("pauses with what it waits for, where that is told", async () => {
		const shown = await start();
		expect(shown.now.approvals).toEqual([]);
		served().end("paused", { approvals: [APPROVAL] });
		await until(() => shown.now.status).toBe("paused");
		expect(shown.now).toMatchObject({
			approvals: [APPROVAL],
			result: { status: "paused" },
			error: undefined,
		});
		shown.now.start({ input: "Again?" });
		await until(() => shown.now.status).toBe("running");
		expect(shown.now.approvals).toEqual([]);
	});

	it("starts one run where an effect does, however often it is mounted", async () => {
		const handles: RunHandle[] = [];
		const shown = show({ question: "How long?", onStart: (handle) => handles.push(handle) });
		await until(() => shown.renders > 0 && shown.now.handle?.run_id).toBe("run_1");
		served().say("Five days.");
		served().end("completed");
		await until(() => shown.now.status).toBe("completed");
		expect(shown.pageText).toBe("Five days.");
		expect(service.runs.map(({ input }) => input)).toEqual(["How long?"]);
		expect(served().readFrom).toEqual([0]);
		expect(handles).toEqual([{ run_id: "run_1", run_token: "rt_1" }]);
	});

	it("leaves a run when it is unmounted, and shows the whole of it when it is mounted again", async () => {
		const first = await start();
		served().say("Five ");
		await untilHandle(first);
		const rejoin = first.now.handle;
		first.unmount();
		await until(() => served().readers).toBe(0);
		served().say("working ");
		const second = show({ rejoin });
		await until(() => second.pageText).toBe("Five working ");
		expect(second.now.status).toBe("running");
		served().say("days.");
		served().end("completed");
		await until(() => second.now.status).toBe("completed");
		expect(second.pageText).toBe("Five working days.");
		expect(service.runs).toHaveLength(1);
		expect(served()).toMatchObject({ isCancelled: false, readFrom: [0, 0] });
	});

	it("rejoins a run that has ended", async () => {
		const first = await start();
		await untilHandle(first);
		served().say("Five days.");
		served().end("completed", { citations: [CITATION] });
		first.unmount();
		const second = show({ rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await until(() => second.renders > 0 && second.now.status).toBe("completed");
		expect(second.now).toMatchObject({ text: "Five days.", citations: [CITATION] });
	});

	it("cancels a run that it rejoined", async () => {
		const first = await start();
		await untilHandle(first);
		first.unmount();
		const second = show({ rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await until(() => second.renders > 0 && served().readers).toBe(1);
		second.now.cancel();
		await until(() => second.now.status).toBe("cancelled");
	});

	it("tells the handle of a run that was left before it began", async () => {
		service.isHeld = true;
		const handles: RunHandle[] = [];
		const shown = await start({ onStart: (handle) => handles.push(handle) });
		shown.unmount();
		await pause();
		expect(served().readers).toBe(1);
		service.release();
		await until(() => handles).toEqual([{ run_id: "run_1", run_token: "rt_1" }]);
		await until(() => served().readers).toBe(0);
		expect(served().isCancelled).toBe(false);
	});

	it.each([false, true])(
		"starts anew in place of the run before, which is cancelled; held: %s",
		async (isHeld) => {
			service.isHeld = isHeld;
			const shown = await start();
			if (!isHeld) served().say("Old.");
			if (!isHeld) await until(() => shown.pageText).toBe("Old.");
			shown.now.start({ input: "And now?" });
			await until(() => service.runs.length).toBe(2);
			service.release();
			served(2).say("New.");
			await until(() => shown.pageText).toBe("New.");
			await until(() => served(1).isCancelled).toBe(true);
			served(2).end("completed");
			await until(() => shown.now.status).toBe("completed");
			expect(shown.now.handle?.run_id).toBe("run_2");
			expect(shown.pageText).toBe("New.");
		},
	);

	it("is idle after a reset, and the run is cancelled", async () => {
		const shown = await start();
		await untilHandle(shown);
		shown.now.reset();
		await until(() => served().isCancelled).toBe(true);
		await until(() => shown.now.status).toBe("idle");
		expect(shown.now).toMatchObject({ text: "", handle: undefined, events: [] });
	});

	it("leaves the run when another agent is shown", async () => {
		const shown = await start();
		served().say("Five ");
		await untilHandle(shown);
		shown.rerender({ url: service.url, agent: "other" });
		await until(() => shown.now.status).toBe("idle");
		await until(() => served().readers).toBe(0);
		shown.now.start({ input: "And you?" });
		await until(() => service.runs.map(({ agent }) => agent)).toEqual(["desk", "other"]);
		expect(served().isCancelled).toBe(false);
	});

	it("starts with the client of the last render", async () => {
		const other = await startService();
		const shown = await start();
		await untilHandle(shown);
		const before = shown.renders;
		shown.rerender({ url: other.url });
		await until(() => shown.renders).toBeGreaterThan(before);
		shown.now.start({ input: "And you?" });
		await until(() => other.runs.map(({ input }) => input)).toEqual(["And you?"]);
		await until(() => served().isCancelled).toBe(true);
		await other.close();
	});

	it("rejoins a run that it is told of later, and not the one that it shows", async () => {
		const shown = await start();
		await untilHandle(shown);
		served().say("Five ");
		await until(() => shown.pageText).toBe("Five ");
		const before = shown.renders;
		shown.rerender({ url: service.url, rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await until(() => shown.renders).toBeGreaterThan(before);
		expect(shown.pageText).toBe("Five ");
		shown.now.start({ input: "And now?" });
		await until(() => shown.now.handle?.run_id).toBe("run_2");
		await until(() => served().isCancelled).toBe(true);
		expect(served().readFrom).toEqual([0]);
		shown.rerender({ url: service.url, rejoin: { run_id: "run_2", run_token: "rt_2" } });
		served(2).say("Three.");
		await until(() => shown.pageText).toBe("Three.");
		shown.rerender({ url: service.url, rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await until(() => shown.now.status).toBe("cancelled");
		expect(shown.now.events.at(-1)?.type).toBe("run.cancelled");
		expect(served(2)).toMatchObject({ isCancelled: false, readFrom: [0] });
		expect(service.runs).toHaveLength(2);
	});

	/** Starts a run, says something, and breaks the connection for good. */
	async function lose(props: Omit<Props, "url"> = {}) {
		const shown = await start(props);
		await untilHandle(shown);
		served().say("Five ");
		served().happen("tool.called", { callee: "lookup" });
		await until(() => shown.pageText).toBe("Five ");
		service.setDown(true);
		await until(() => shown.now.status).toBe("failed");
		expect(shown.now).toMatchObject({ text: "Five ", result: undefined, error: { code: "stream_lost" } });
		service.setDown(false);
		return shown;
	}

	/** The rest of a run that is shown again, the whole of which is there in the end. */
	async function finish(shown: { readonly now: LiveRun; readonly pageText: string }) {
		await until(() => served().readers).toBe(1);
		expect(shown.now).toMatchObject({ status: "running", error: undefined, canReconnect: false });
		served().say("days.");
		await until(() => shown.pageText).toBe("Five days.");
		served().end("completed");
		await until(() => shown.now.status).toBe("completed");
		expect(shown.now.events.map(({ type }) => type)).toEqual(["run.started", "tool.called", "run.completed"]);
		expect(service.runs).toHaveLength(1);
	}

	it.each([
		["it is told to", (shown: { readonly now: LiveRun }) => shown.now.reconnect()],
		["the browser is online again", () => page.goOnline()],
	])("goes on with a run whose connection was lost when %s", async (_, reconnect) => {
		const shown = await lose();
		expect(shown.now.canReconnect).toBe(true);
		reconnect(shown);
		await finish(shown);
		expect(served().readFrom).toEqual([0, 3]);
		page.goOnline();
		shown.now.reconnect();
		await pause();
		expect(shown.now.status).toBe("completed");
		expect(served().readFrom).toEqual([0, 3]);
	});

	it("shows a run whose connection was lost when its handle is given again", async () => {
		const shown = await lose();
		shown.rerender({ url: service.url, rejoin: { run_id: "run_1", run_token: "rt_1" } });
		await finish(shown);
		expect(served().readFrom).toEqual([0, 0]);
	});

	it("can be told to again where the service is still not there", async () => {
		const shown = await lose();
		service.setDown(true);
		shown.now.reconnect();
		await until(() => shown.now.error?.code).toBe("connection_failed");
		service.setDown(false);
		shown.now.reconnect();
		await finish(shown);
	});

	it.each([
		["start", "running"],
		["reset", "idle"],
		["cancel", "cancelled"],
	] as const)("%s cancels a run whose connection was lost", async (action, status) => {
		const shown = await lose();
		shown.now[action]({ input: "And now?" });
		await until(() => served().isCancelled).toBe(true);
		await until(() => shown.now.status).toBe(status);
		await until(() => served().readers).toBe(0);
		await until(() => service.runs.length).toBe(action === "start" ? 2 : 1);
		expect(shown.now.canReconnect).toBe(false);
	});

	it("cannot go on without `runs`, nor where a run has failed or is not there", async () => {
		const lost = await lose({ isWithoutRuns: true });
		expect(lost.now.canReconnect).toBe(false);
		const unknown = show({ rejoin: { run_id: "run_9", run_token: "rt_9" } });
		await until(() => unknown.renders > 0 && unknown.now.error?.code).toBe("run_not_found");
		expect(unknown.now.canReconnect).toBe(false);
		unknown.now.start({ input: "Why?" });
		await until(() => unknown.now.handle?.run_id).toBe("run_2");
		served(2).end("failed", { error: FAILURE });
		await until(() => unknown.now.error).toMatchObject(FAILURE);
		expect(unknown.now.canReconnect).toBe(false);
		const before = [...service.requests];
		lost.now.reconnect();
		unknown.now.reconnect();
		page.goOnline();
		lost.now.reset();
		unknown.now.reset();
		await pause();
		expect(service.requests).toEqual(before);
	});

	it("tells the agent of a late start, by which handles are kept", async () => {
		service.isHeld = true;
		const handles: Record<string, RunHandle> = {};
		const onStart = (handle: RunHandle, agent: string) => {
			handles[agent] = handle;
			shown.rerender({ url: service.url, agent: "other", onStart, rejoin: handles.other });
		};
		const shown = await start({ onStart });
		shown.rerender({ url: service.url, agent: "other", onStart, rejoin: undefined });
		await until(() => shown.now.status).toBe("idle");
		shown.now.start({ input: "And you?" });
		await until(() => service.runs.length).toBe(2);
		service.release();
		served(1).say("Five days.");
		served(2).say("No.");
		await until(() => Object.keys(handles).sort()).toEqual(["desk", "other"]);
		await until(() => shown.pageText).toBe("No.");
		expect(shown.now.handle?.run_id).toBe("run_2");
		await until(() => [served(1).readers, served(2).readers]).toEqual([0, 1]);
	});

	const circle: Record<string, unknown> = {};
	circle.again = circle;
	it.each([
		["nothing", undefined, /^`start` needs a request/],
		["a function", () => 1, /^`start` needs a request/],
		["a BigInt", { input: 1n }, /^`start` was given what JSON cannot hold: .*BigInt/],
		["a circle", { input: circle }, /^`start` was given what JSON cannot hold: .*circular/],
	])("says that it was given %s", async (_, request, message) => {
		const shown = show({});
		await until(() => shown.renders).toBeGreaterThan(0);
		shown.now.start(request as unknown as RunInput);
		await until(() => shown.now.status).toBe("failed");
		expect(shown.now.error).toMatchObject({ code: "configuration", message });
		expect(service.requests).toEqual([]);
	});

	it("shows why a run cannot be rejoined", async () => {
		const shown = show({ rejoin: { run_id: "run_9", run_token: "rt_9" } });
		await until(() => shown.renders > 0 && shown.now.status).toBe("failed");
		expect(shown.now.error).toMatchObject({ code: "run_not_found", hint: "Look at its id." });
		const careless = show({ rejoin: { run_id: "run_9" }, isWithoutRuns: true });
		await until(() => careless.renders > 0 && careless.now.status).toBe("failed");
		expect(careless.now.error).toMatchObject({ code: "configuration", message: /needs `runs`/ });
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
		const shown = await start({ onStart });
		served().say("Five days.");
		await until(() => shown.pageText).toBe("Five days.");
		expect(shown.now.status).toBe("running");
		expect(page.takeComplaints()).toEqual([thrown]);
	});

	it("renders nothing but an idle run on a server, and takes it over in the browser", async () => {
		const rejoin = { run_id: "run_1", run_token: "rt_1" };
		const html = page.renderToString(useDesk, { url: service.url, question: "Why?", rejoin });
		expect(html).toContain('<p data-status="idle"></p>');
		expect(service.requests).toEqual([]);
		const first = await start();
		served().say("Five ");
		await untilHandle(first);
		const taken = show({ rejoin }, html);
		await until(() => taken.pageText).toBe("Five ");
	});

	// React 18 hides nothing.
	if (version === "19")
		describe("when it is hidden and shown again", () => {
			it("goes on where it was", async () => {
				const shown = await start();
				served().say("Five ");
				await until(() => shown.pageText).toBe("Five ");
				shown.setHidden(true);
				await until(() => served().readers).toBe(0);
				served().say("working ");
				shown.setHidden(false);
				await until(() => served().readers).toBe(1);
				served().say("days.");
				served().end("completed");
				await until(() => shown.now.status).toBe("completed");
				expect(shown.now.text).toBe("Five working days.");
				expect(served().readFrom).toEqual([0, 2]);
			});

			it("has at least the end, without `runs`", async () => {
				const shown = await start({ isWithoutRuns: true });
				served().say("Five ");
				await until(() => shown.pageText).toBe("Five ");
				shown.setHidden(true);
				await until(() => served().readers).toBe(0);
				served().say("days.");
				shown.setHidden(false);
				await until(() => served().readers).toBe(1);
				served().end("completed");
				await until(() => shown.now.status).toBe("completed");
				expect(shown.now.text).toBe("Five days.");
			});
		});
});
