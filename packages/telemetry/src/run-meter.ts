import type { RunResult } from "@stemma/core";
import { sumByPayer } from "@stemma/core";
import type { Counter, Histogram, Labels } from "./metric";
import type { TracedEvent } from "./run-trace";

/** Metrics of runs. */
export interface RunMetrics {
	readonly started: Counter;
	readonly ended: Counter;
	readonly duration: Histogram;
	readonly toolCalls: Counter;
	/** Counter of model calls, from the receipts; set where the calls are not counted when they are made. */
	readonly modelCalls?: Counter;
	readonly modelTokens?: Counter;
}

/** Records the metrics of one run from its events. */
export class RunMeter {
	readonly #metrics: RunMetrics;
	readonly #labels: Labels;
	/** Start of the current segment of the run, in epoch milliseconds. */
	#startedAt = 0;
	/** Duration of the earlier segments, which ended with a pause. */
	#elapsedMs = 0;
	/** Numbers of the tool invocations in flight. */
	#tools: Set<number> | undefined;

	/** @param labels - of the run, such as its agent. */
	constructor(metrics: RunMetrics, labels: Labels) {
		this.#metrics = metrics;
		this.#labels = labels;
	}

	onEvent(event: TracedEvent): void {
		switch (event.type) {
			case "run.started":
				this.#metrics.started.add(this.#labels);
				this.#startedAt = toMs(event.at);
				return;
			case "run.resumed":
				this.#startedAt = toMs(event.at);
				return;
			case "run.paused":
				this.#elapsedMs += toMs(event.at) - this.#startedAt;
				return;
			case "node.started":
				if (event.kind === "tool") this.#tools = (this.#tools ?? new Set()).add(event.invocation);
				return;
			case "node.completed":
			case "node.failed":
				if (this.#tools?.delete(event.invocation))
					this.#metrics.toolCalls.add({ outcome: event.type === "node.failed" ? "failed" : "completed" });
				return;
			case "run.completed":
			case "run.failed":
			case "run.cancelled":
				this.#end(event.result, toMs(event.at));
		}
	}

	#end(result: RunResult, at: number): void {
		const { ended, duration, modelCalls, modelTokens } = this.#metrics;
		ended.add({ ...this.#labels, status: result.status });
		duration.observe(this.#labels, Math.max(0, this.#elapsedMs + at - this.#startedAt) / 1000);
		for (const [payer, sum] of Object.entries(sumByPayer(result.receipt))) {
			modelCalls?.add({ payer }, sum.calls);
			modelTokens?.add({ payer, direction: "input" }, sum.input_tokens);
			modelTokens?.add({ payer, direction: "output" }, sum.output_tokens);
		}
	}
}

const toMs = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at));
