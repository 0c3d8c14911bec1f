import type { Citation, Json, ReceiptRow, RunError, RunResult, RunUsage } from "@stemma/core";
import type { WireRunEvent } from "../../types/run";
import { fillCitation, fillReceiptRow, fillUsage } from "./fill";
import type { PartialRunEvent, ScriptedAnswer, ScriptedEvent } from "./script";
import { splitWords } from "./split-words";

/** Options of the writer of a run, which makes events of what a script says. */
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

/** Turns what a script says into the events that a service would send: pure, but for the clock. */
export class RunWriter {
	readonly #options: RunWriterOptions;
	/** Open nodes by invocation. */
	readonly #open = new Map<number, OpenNode>();
	#written: WireRunEvent[] = [];
	#seq = 0;
	#invocations = 0;
	#root = COORDINATOR;
	/** All final text since the last reset. */
	#answer = "";
	#isEnded = false;

	constructor(options: RunWriterOptions) {
		this.#options = options;
	}

	/** The last event was written. */
	get isEnded(): boolean {
		return this.#isEnded;
	}

	/** `run.started`, before anything else. */
	start(): WireRunEvent[] {
		return this.#collect(() => this.#emit({ type: "run.started", agent: this.#options.agent }));
	}

	/** The events that this makes; none after the last. */
	write(scripted: ScriptedEvent): WireRunEvent[] {
		return this.#collect(() => this.#write(scripted));
	}

	/** Completes the run with the text so far, unless it has ended. */
	complete(): WireRunEvent[] {
		return this.#endAs("completed");
	}

	cancel(): WireRunEvent[] {
		return this.#endAs("cancelled");
	}

	#endAs(status: Status): WireRunEvent[] {
		return this.#collect(() => {
			this.#startRoot(undefined);
			this.#end(status, {});
		});
	}

	#emit(fields: object): void {
		this.#seq += 1;
		// Scripts say what matters to a test; the fields set here and by the callers complete the member of the union.
		this.#written.push({
			run_id: this.#options.runId,
			seq: this.#seq,
			at: new Date(this.#options.now()).toISOString(),
			...fields,
		} as WireRunEvent);
	}

	/** The coordinator's start, unless a script says it. */
	#startRoot(first: PartialRunEvent | undefined): void {
		if (this.#invocations === 0 && first?.type !== "node.started") this.#startNode({ type: "node.started" });
	}

	#startNode(event: Extract<PartialRunEvent, { type: "node.started" }>): void {
		const isRoot = this.#invocations === 0;
		const { invocation = this.#invocations + 1, node = isRoot ? COORDINATOR : "agent" } = event;
		const origin: OpenNode = isRoot ? { node } : { node, parent: event.parent ?? 1 };
		this.#invocations = Math.max(this.#invocations, invocation);
		if (isRoot) this.#root = node;
		this.#open.set(invocation, origin);
		const kind = isRoot ? { kind: "coordinator", mode: "start", input: this.#options.input } : CALLED_AGENT;
		this.#emit({ invocation, ...origin, ...kind, ...event });
	}

	/** The newest this.#open invocation of the node, else the coordinator's. */
	#invocationOf(node: string): number {
		return [...this.#open].reverse().find(([, origin]) => origin.node === node)?.[0] ?? 1;
	}

	#writeNodeEvent(event: PartialRunEvent & { readonly node?: string; readonly invocation?: number }): void {
		const { node = this.#root } = event;
		const { invocation = this.#invocationOf(node) } = event;
		const origin = this.#open.get(invocation) ?? { node };
		if (event.type === "node.completed" || event.type === "node.failed") this.#open.delete(invocation);
		this.#emit({ invocation, ...origin, ...this.#toDefaults(event), ...event });
	}

	#toDefaults(event: PartialRunEvent): object {
		switch (event.type) {
			case "tool.called":
				return { callee: "tool", call_id: `call_${this.#seq + 1}`, arguments: {} };
			case "tool.skipped":
				return { callee: "tool", call_id: `call_${this.#seq + 1}`, reason: "" };
			case "node.completed":
				return { output: "", usage: this.#usageOf({}), ms: 0 };
			case "node.failed":
				return { error: CANCELLED, ms: 0 };
			default:
				return {};
		}
	}

	#writeText(text: string): void {
		this.#answer += text;
		this.#writeNodeEvent({ type: "text.delta", text, final: true });
	}

	#reset(): void {
		this.#answer = "";
		this.#writeNodeEvent({ type: "text.reset" });
	}

	/** Says what of the output was not said yet. */
	#writeRemainingText(output: Json): void {
		if (typeof output !== "string") return;
		if (!output.startsWith(this.#answer)) this.#reset();
		for (const word of splitWords(output.slice(this.#answer.length))) this.#writeText(word);
	}

	#usageOf(usage: Partial<RunUsage>): RunUsage {
		return fillUsage(usage, JSON.stringify(this.#options.input), this.#answer);
	}

	/** A call that was cut short is an estimate. */
	#toReceipt(status: Status, { receipt }: ScriptedResult, usage: RunUsage): ReceiptRow[] {
		const { input_tokens, output_tokens } = usage;
		const row = { input_tokens, output_tokens, ...(status === "completed" ? {} : { estimated: true }) };
		return (receipt ?? [row]).map((partialRow) => fillReceiptRow({ node: this.#root, ...partialRow }));
	}

	#closeNodes(status: Status, output: Json, error: RunError | undefined): void {
		for (const [invocation, { node }] of [...this.#open].reverse())
			if (status === "completed")
				this.#writeNodeEvent({ type: "node.completed", node, invocation, output, usage: this.#usageOf({}) });
			else this.#writeNodeEvent({ type: "node.failed", node, invocation, error: error ?? CANCELLED });
	}

	#end(status: Status, scriptedResult: ScriptedResult): void {
		const output =
			scriptedResult.output ?? (this.#answer === "" && status !== "completed" ? null : this.#answer);
		if (status === "completed") this.#writeRemainingText(output);
		if (status !== "paused") this.#closeNodes(status, output, scriptedResult.error);
		const usage = this.#usageOf(scriptedResult.usage ?? {});
		const result: RunResult = {
			run_id: this.#options.runId,
			status,
			output,
			citations: (scriptedResult.citations ?? []).map((citation: Partial<Citation>, index) =>
				fillCitation(citation, index),
			),
			usage,
			receipt: this.#toReceipt(status, scriptedResult, usage),
			...(scriptedResult.approvals === undefined ? {} : { approvals: scriptedResult.approvals }),
			...(scriptedResult.error === undefined ? {} : { error: scriptedResult.error }),
		};
		this.#isEnded = true;
		this.#emit({
			type: `run.${status}`,
			...(scriptedResult.error === undefined ? {} : { error: scriptedResult.error }),
			result,
		});
	}

	#writeEvent(event: PartialRunEvent): void {
		switch (event.type) {
			case "run.resumed":
				return this.#emit(event);
			case "node.started":
				return this.#startNode(event);
			case "text.delta":
				if (event.final !== false) this.#answer += event.text ?? "";
				return this.#writeNodeEvent({ final: true, text: "", ...event });
			case "text.reset":
				this.#answer = "";
				return this.#writeNodeEvent(event);
			case "run.completed":
			case "run.cancelled":
			case "run.paused":
				return this.#end(toStatus(event.type), event.result ?? {});
			case "run.failed":
				return this.#end("failed", { error: event.error ?? DEFAULT_ERROR, ...event.result });
			default:
				return this.#writeNodeEvent(event);
		}
	}

	#write(scripted: ScriptedEvent): void {
		const isEvent = typeof scripted === "object" && "type" in scripted;
		this.#startRoot(isEvent ? scripted : undefined);
		if (typeof scripted === "string") this.#writeText(scripted);
		else if (isEvent) this.#writeEvent(scripted);
		else if ("error" in scripted) this.#end("failed", scripted);
		else this.#end("completed", scripted);
	}

	/** Returns the events that one call wrote. */
	#collect(work: () => void): WireRunEvent[] {
		if (!this.#isEnded) work();
		const collected = this.#written;
		this.#written = [];
		return collected;
	}
}

const toStatus = (type: "run.completed" | "run.cancelled" | "run.paused"): Status =>
	type === "run.completed" ? "completed" : type === "run.cancelled" ? "cancelled" : "paused";

const DEFAULT_ERROR: RunError = { code: "run_failed", message: "The run failed." };
