import { defineAgent } from "../../../packages/core/dist/index.js";
import { createEngine } from "../../../packages/engine/dist/index.js";
import { MIXED_GRAPH, MIXED_STEPS, toMixedModel } from "./mixed.mjs";
import {
	createCaller,
	createReplyModel,
	createScriptedModel,
	retriever,
	toolReply,
	tools,
} from "./scripted-model.mjs";

/** Agents joined by `then` edges: each is one invocation and one model turn, so two steps. */
export function prepareChain(length, replyModel = createReplyModel()) {
	const ids = Array.from({ length }, (_, index) => `node_${index}`);
	const steps = 2 * length;
	const graph = {
		nodes: ids.map((id, index) => ({ id, kind: index === 0 ? "coordinator" : "agent" })),
		edges: ids.slice(1).map((to, index) => ({ from: ids[index], to, mode: "then" })),
		limits: { maxSteps: steps },
	};
	return prepareRun(graph, () => replyModel, { steps, events: 2 + 3 * length });
}

/** A coordinator that calls an agent in every turn but the last: three steps a call. */
export function prepareAgentLoop(calls) {
	return prepareLoop({ id: "callee", kind: "agent" }, calls, { steps: 3 * calls + 2, events: 4 * calls + 5 });
}

/** A coordinator that calls a knowledge node in every turn but the last: two steps a call. */
export function prepareKnowledgeLoop(calls) {
	const callee = { id: "callee", kind: "knowledge", knowledgeBases: ["handbook"] };
	return prepareLoop(callee, calls, { steps: 2 * calls + 2, events: 3 * calls + 5 });
}

/** Agents each of which hands over to the next; the last one talks. Two steps each. */
export function prepareHandoffs(length) {
	const ids = Array.from({ length }, (_, index) => `node_${index}`);
	const graph = {
		nodes: ids.map((id, index) => ({ id, kind: index === 0 ? "coordinator" : "agent" })),
		edges: ids.slice(1).map((to, index) => ({ from: ids[index], to, mode: "handoff" })),
		limits: { maxSteps: 2 * length },
	};
	const replyModel = createReplyModel();
	const models = new Map(
		ids.map((id, index) => {
			const next = ids[index + 1];
			return [id, next === undefined ? replyModel : createScriptedModel(() => toolReply([next], index))];
		}),
	);
	return prepareRun(graph, (node) => models.get(node), { steps: 2 * length, events: 2 + 3 * length });
}

/** Twelve nodes with everything that a graph can have. */
export const prepareMixed = () => prepareRun(MIXED_GRAPH, toMixedModel, { steps: MIXED_STEPS });

function prepareLoop(callee, calls, expected) {
	const graph = {
		nodes: [{ id: "caller", kind: "coordinator", maxTurns: calls + 2 }, callee],
		edges: [{ from: "caller", to: "callee" }],
		limits: { maxSteps: expected.steps },
	};
	const caller = createCaller("callee", calls);
	const replyModel = createReplyModel();
	return prepareRun(graph, (node) => (node === "caller" ? caller : replyModel), expected);
}

/** @returns what runs the graph once, with events and receipt, and checks that all of it was done. */
function prepareRun(graph, modelOf, expected) {
	const engine = prepareEngine(graph, modelOf);
	return {
		steps: expected.steps,
		async run() {
			let events = 0;
			const onEvent = () => {
				events += 1;
			};
			const context = { customer: "Ada" };
			const { status, usage, receipt, error } = await engine.run({ input: "A question.", context, onEvent });
			if (status !== "completed") throw new Error(`The run ended as ${status}: ${error?.message}`);
			if (usage.steps !== expected.steps) throw new Error(`${usage.steps} steps, not ${expected.steps}.`);
			if (events !== (expected.events ?? events))
				throw new Error(`${events} events, not ${expected.events}.`);
			if (receipt.length !== usage.model_calls) throw new Error("A model call has no row on the receipt.");
		},
	};
}

/** @param modelOf - the model of a node. */
export const prepareEngine = (graph, modelOf) =>
	createEngine(defineAgent(graph), { ports: createPorts(modelOf), host: createHost() });

function createPorts(modelOf) {
	return {
		models: {
			resolve: ({ node }) => ({ model: modelOf(node), payer: "deployment", reason: "It is scripted." }),
		},
		retriever,
		tools,
		agents: {},
		validate: () => ({ valid: true }),
	};
}

function createHost() {
	let ids = 0;
	return {
		now: Date.now,
		setTimer(milliseconds, callback) {
			const timer = setTimeout(callback, milliseconds);
			return () => clearTimeout(timer);
		},
		createId(prefix) {
			ids += 1;
			return `${prefix}_${ids}`;
		},
	};
}
