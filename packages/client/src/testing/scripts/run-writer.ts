import type { Citation, Json, ReceiptRow, RunError, RunResult, RunUsage } from "@stemma/core";
import type { WireRunEvent } from "../../types/run";
import { fillCitation, fillReceiptRow, fillUsage } from "./fill";
import type { PartialRunEvent, ScriptedAnswer, ScriptedEvent } from "./script";
import { splitWords } from "./split-words";

/** Turns what a script says into the events that a service would send: pure, but for the clock. */
export interface RunWriter {
	/** The last event was written. */
	readonly isEnded: boolean;
	/** `run.started`, before anything else. */
	start(): WireRunEvent[];
	/** The events that this makes; none after the last. */
	write(scripted: ScriptedEvent): WireRunEvent[];
	/** Completes the run with the text so far, unless it has ended. */
	complete(): WireRunEvent[];
	cancel(): WireRunEvent[];
}

export interface RunWriterOptions {
	readonly runId: string;
	readonly agent: string;
	readonly input: Json;
	readonly now: () => number;
}

/** The node that speaks, unless an event names another. */
const COORDINATOR = "coordinator";

const CANCELLED: RunError = { code: "cancelled", message: "The run ended first." };

const CALLED_AGENT = { kind: "agent", mode: "call", input: "" };

type Status = RunResult["status"];

/** Fields of a result that a script sets. */
type ScriptedResult = Partial<ScriptedAnswer> & Pick<Partial<RunResult>, "approvals" | "error">;

interface OpenNode {
	readonly node: string;
	/** The invocation that led to it; none for the coordinator's. */
	readonly parent?: number;
}

export function createRunWriter({ runId, agent, input, now }: RunWriterOptions): RunWriter {
	/** Open nodes by invocation. */
	const open = new Map<number, OpenNode>();
	let written: WireRunEvent[] = [];
	let seq = 0;
	let invocations = 0;
	let root = COORDINATOR;
	/** All final text since the last reset. */
	let answer = "";
	let isEnded = false;

	function emit(fields: object): void {
		seq += 1;
		// Scripts say what matters to a test; the fields set here and by the callers complete the member of the union.
		written.push({ run_id: runId, seq, at: new Date(now()).toISOString(), ...fields } as WireRunEvent);
	}

	/** The coordinator's start, unless a script says it. */
	function startRoot(first: PartialRunEvent | undefined): void {
		if (invocations === 0 && first?.type !== "node.started") startNode({ type: "node.started" });
	}

	function startNode(event: Extract<PartialRunEvent, { type: "node.started" }>): void {
		const isRoot = invocations === 0;
		const { invocation = invocations + 1, node = isRoot ? COORDINATOR : "agent" } = event;
		const origin: OpenNode = isRoot ? { node } : { node, parent: event.parent ?? 1 };
		invocations = Math.max(invocations, invocation);
		if (isRoot) root = node;
		open.set(invocation, origin);
		const kind = isRoot ? { kind: "coordinator", mode: "start", input } : CALLED_AGENT;
		emit({ invocation, ...origin, ...kind, ...event });
	}

	/** The newest open invocation of the node, else the coordinator's. */
	const invocationOf = (node: string): number =>
		[...open].reverse().find(([, origin]) => origin.node === node)?.[0] ?? 1;

	function writeNodeEvent(
		event: PartialRunEvent & { readonly node?: string; readonly invocation?: number },
	): void {
		const { node = root } = event;
		const { invocation = invocationOf(node) } = event;
		const origin = open.get(invocation) ?? { node };
		if (event.type === "node.completed" || event.type === "node.failed") open.delete(invocation);
		emit({ invocation, ...origin, ...toDefaults(event), ...event });
	}

	function toDefaults(event: PartialRunEvent): object {
		switch (event.type) {
			case "tool.called":
				return { callee: "tool", call_id: `call_${seq + 1}`, arguments: {} };
			case "tool.skipped":
				return { callee: "tool", call_id: `call_${seq + 1}`, reason: "" };
			case "node.completed":
				return { output: "", usage: usageOf({}), ms: 0 };
			case "node.failed":
				return { error: CANCELLED, ms: 0 };
			default:
				return {};
		}
	}

	function writeText(text: string): void {
		answer += text;
		writeNodeEvent({ type: "text.delta", text, final: true });
	}

	function reset(): void {
		answer = "";
		writeNodeEvent({ type: "text.reset" });
	}

	/** Says what of the output was not said yet. */
	function writeRemainingText(output: Json): void {
		if (typeof output !== "string") return;
		if (!output.startsWith(answer)) reset();
		for (const word of splitWords(output.slice(answer.length))) writeText(word);
	}

	const usageOf = (usage: Partial<RunUsage>): RunUsage => fillUsage(usage, JSON.stringify(input), answer);

	/** A call that was cut short is an estimate. */
	function toReceipt(status: Status, { receipt }: ScriptedResult, usage: RunUsage): ReceiptRow[] {
		const { input_tokens, output_tokens } = usage;
		const row = { input_tokens, output_tokens, ...(status === "completed" ? {} : { estimated: true }) };
		return (receipt ?? [row]).map((partialRow) => fillReceiptRow({ node: root, ...partialRow }));
	}

	function closeNodes(status: Status, output: Json, error: RunError | undefined): void {
		for (const [invocation, { node }] of [...open].reverse())
			if (status === "completed")
				writeNodeEvent({ type: "node.completed", node, invocation, output, usage: usageOf({}) });
			else writeNodeEvent({ type: "node.failed", node, invocation, error: error ?? CANCELLED });
	}

	function end(status: Status, scriptedResult: ScriptedResult): void {
		const output = scriptedResult.output ?? (answer === "" && status !== "completed" ? null : answer);
		if (status === "completed") writeRemainingText(output);
		if (status !== "paused") closeNodes(status, output, scriptedResult.error);
		const usage = usageOf(scriptedResult.usage ?? {});
		const result: RunResult = {
			run_id: runId,
			status,
			output,
			citations: (scriptedResult.citations ?? []).map((citation: Partial<Citation>, index) =>
				fillCitation(citation, index),
			),
			usage,
			receipt: toReceipt(status, scriptedResult, usage),
			...(scriptedResult.approvals === undefined ? {} : { approvals: scriptedResult.approvals }),
			...(scriptedResult.error === undefined ? {} : { error: scriptedResult.error }),
		};
		isEnded = true;
		emit({
			type: `run.${status}`,
			...(scriptedResult.error === undefined ? {} : { error: scriptedResult.error }),
			result,
		});
	}

	function writeEvent(event: PartialRunEvent): void {
		switch (event.type) {
			case "run.resumed":
				return emit(event);
			case "node.started":
				return startNode(event);
			case "text.delta":
				if (event.final !== false) answer += event.text ?? "";
				return writeNodeEvent({ final: true, text: "", ...event });
			case "text.reset":
				answer = "";
				return writeNodeEvent(event);
			case "run.completed":
			case "run.cancelled":
			case "run.paused":
				return end(toStatus(event.type), event.result ?? {});
			case "run.failed":
				return end("failed", { error: event.error ?? DEFAULT_ERROR, ...event.result });
			default:
				return writeNodeEvent(event);
		}
	}

	function write(scripted: ScriptedEvent): void {
		const isEvent = typeof scripted === "object" && "type" in scripted;
		startRoot(isEvent ? scripted : undefined);
		if (typeof scripted === "string") writeText(scripted);
		else if (isEvent) writeEvent(scripted);
		else if ("error" in scripted) end("failed", scripted);
		else end("completed", scripted);
	}

	/** Returns the events that one call wrote. */
	function collect(work: () => void): WireRunEvent[] {
		if (!isEnded) work();
		const collected = written;
		written = [];
		return collected;
	}

	return {
		get isEnded() {
			return isEnded;
		},
		start: () => collect(() => emit({ type: "run.started", agent })),
		write: (scripted) => collect(() => write(scripted)),
		complete: () =>
			collect(() => {
				startRoot(undefined);
				end("completed", {});
			}),
		cancel: () =>
			collect(() => {
				startRoot(undefined);
				end("cancelled", {});
			}),
	};
}

const toStatus = (type: "run.completed" | "run.cancelled" | "run.paused"): Status =>
	type === "run.completed" ? "completed" : type === "run.cancelled" ? "cancelled" : "paused";

const DEFAULT_ERROR: RunError = { code: "run_failed", message: "The run failed." };
