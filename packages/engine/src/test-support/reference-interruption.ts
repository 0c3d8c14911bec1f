import type { AgentGraph, ApprovalDecision, ChatRequest, Json, RunEvent, RunResult } from "@stemma/core";
import { createEngine, type EngineRun, type SerializedRun } from "../index";
import { context, toEnginePorts } from "./reference-ports";
import type { ReferencePorts } from "./reference-types";
import { manualHost, scriptedModel } from "./scripted";

export interface Interruptions {
	/** The run is saved as these events are told, counted from 1, and goes on in another engine. */
	readonly stops: readonly number[];
	/** Of the open approvals those that are decided on together; the world says how. Default: all. */
	readonly choose?: (open: readonly ApprovalDecision[]) => readonly ApprovalDecision[];
	/** Comes before each answer. */
	readonly wait?: () => Promise<void>;
}

export interface InterruptedRun {
	readonly result: RunResult;
	readonly events: readonly RunEvent[];
	readonly requests: readonly ChatRequest[];
	/** The events as which it was really saved. */
	readonly saved: readonly RunEvent[];
	readonly pauses: number;
}

const noWait = async (): Promise<void> => undefined;

/** Runs a graph over a world; whenever it is saved or pauses, as JSON text, it goes on in an engine of its own. */
export async function runInterrupted(
	graph: AgentGraph,
	referencePorts: ReferencePorts,
	input: Json,
	{ stops, choose = (open) => open, wait = noWait }: Interruptions,
): Promise<InterruptedRun> {
	const events: RunEvent[] = [];
	const requests: ChatRequest[] = [];
	const saved: RunEvent[] = [];
	let state: SerializedRun | undefined;
	let decisions: readonly ApprovalDecision[] = [];
	let pauses = 0;
	for (;;) {
		const engine = createReferenceEngine(graph, referencePorts, wait, requests);
		const controller = new AbortController();
		let run: EngineRun | undefined;
		let next: SerializedRun | undefined;
		const onEvent = (event: RunEvent): void => {
			if (next !== undefined) return;
			events.push(event);
			const isOver = event.type === "run.completed" || event.type === "run.failed";
			if (run === undefined || isOver || !stops.includes(events.length)) return;
			next = toCopy(run.serialize());
			saved.push(event);
			controller.abort();
		};
		const options = { signal: controller.signal, onEvent };
		run =
			state === undefined
				? engine.start({ input, context, ...options })
				: engine.resume(state, { decisions, ...options });
		const result = await run.result;
		decisions = [];
		if (next === undefined && result.status !== "paused") return { result, events, requests, saved, pauses };
		state = next ?? toCopy(run.serialize());
		const last = events.at(-1);
		if (last?.type !== "run.paused") continue;
		pauses += 1;
		decisions = choose(
			(last.result.approvals ?? []).map(({ id, node, arguments: args }) => ({
				approval_id: id,
				decision: referencePorts.approves(node, args) ? "approve" : "deny",
			})),
		);
	}
}

const toCopy = (state: SerializedRun): SerializedRun => JSON.parse(JSON.stringify(state));

function createReferenceEngine(
	graph: AgentGraph,
	referencePorts: ReferencePorts,
	wait: () => Promise<void>,
	requests: ChatRequest[],
) {
	const { ports, reply } = toEnginePorts(referencePorts, wait);
	const model = scriptedModel(
		Object.fromEntries(
			graph.nodes.map(({ id }) => [
				id,
				(request: ChatRequest) => {
					requests.push({ ...request, messages: [...request.messages] });
					return reply(request);
				},
			]),
		),
	);
	const models = { resolve: () => ({ model, payer: "workspace" as const, reason: "The script pays." }) };
	return createEngine(graph, { host: manualHost(), ports: { ...ports, models } });
}
