import { type AgentGraph, defineAgent, type RunEvent } from "@stemma/core";
import type { EnginePorts } from "@stemma/engine";
import { checkRun } from "@stemma/engine/test-support/check-run";
import { type RunScripted, type ScriptedOptions, scriptedPorts } from "@stemma/engine/test-support/scripted";
import { expect } from "vitest";
import type { RunDefinition } from "../run/run-definition";
import { runGraph } from "../run/run-graph";
import { createMemoryJournal, createStorage } from "./memory-journal";

/** Options of a run of a test. */
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
	(createDelays?: () => Iterator<number>): RunScripted =>
	async (graph, scripted) => {
		const { ports, requests } = scriptedPorts(scripted);
		const definition = toDefinition(graph, scripted);
		const storage = createStorage();
		const execute = async (executed: EnginePorts) => {
			const events: RunEvent[] = [];
			const result = await runGraph({
				runId: "run_1",
				definition,
				ports: executed,
				journal: createMemoryJournal(storage, createDelays === undefined ? {} : { delays: createDelays() }),
				onEvent: (event) => events.push(event),
			});
			checkRun(events, result);
			return { result, events };
		};
		const run = await execute(ports);
		const again = await execute(uncallablePorts(ports));
		expect(again.result).toEqual(run.result);
		return { ...run, requests };
	};

/** Ports of an execution that finds everything stored: but for the check of schemas, nothing is called. */
function uncallablePorts({ validate }: EnginePorts): EnginePorts {
	const fail = (): never => {
		throw new Error("This call was stored.");
	};
	return {
		models: { resolve: fail },
		retriever: { retrieve: fail },
		tools: { describe: fail, call: fail },
		agents: { run: fail },
		validate,
	};
}
