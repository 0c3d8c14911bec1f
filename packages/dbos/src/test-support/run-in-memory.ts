import type { AgentGraph, RunEvent, RunResult } from "@stemma/core";
import { defineAgent } from "@stemma/core";
import { checkRun } from "@stemma/engine/test-support/check-run";
import { type RunScripted, type ScriptedOptions, scriptedPorts } from "@stemma/engine/test-support/scripted";
import type { RunDefinition } from "../run/run-definition";
import { runGraph } from "../run/run-graph";
import { createMemoryJournal, createStorage, type MemoryJournalOptions } from "./memory-journal";

/** What a run of a test is started with. */
export const toDefinition = (
	graph: AgentGraph,
	{
		input = "hello",
		context = {},
		untrustedContext = false,
		limits = {},
		maxConcurrentCalls,
	}: ScriptedOptions,
): RunDefinition =>
	JSON.parse(
		JSON.stringify({
			graph: defineAgent(graph),
			input,
			context,
			untrustedContext,
			limits,
			maxConcurrentCalls: maxConcurrentCalls ?? null,
		}),
	);

/** Runs a graph over scripted ports and a journal in memory, and checks what holds for every run. */
export const runInMemory =
	(options: MemoryJournalOptions = {}): RunScripted =>
	async (graph, scripted) => {
		const { ports, requests } = scriptedPorts(scripted);
		const events: RunEvent[] = [];
		const result: RunResult = await runGraph({
			runId: "run_1",
			definition: toDefinition(graph, scripted),
			ports,
			journal: createMemoryJournal(createStorage(), options),
			onEvent: (event) => events.push(event),
		});
		checkRun(events, result);
		return { result, events, requests };
	};
