import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { z } from "zod";
import { ask, createReplyModel } from "./scripted-model.mjs";
import { prepareEngine } from "./stemma.mjs";

/**
 * Runs that come to an approval after some model turns, are saved there as JSON, and go on from it.
 *
 * @param turns - agents in a chain before what has to be approved.
 * @returns `run` for a run from its start to its end; it calls `mark` when it has paused, when it is saved, and when it has
 * ended, and returns the characters that were saved.
 */
export function prepareStemma(turns) {
	const ids = toIds(turns);
	const graph = {
		nodes: [
			...ids.map((id, index) => ({ id, kind: index === 0 ? "coordinator" : "agent" })),
			{ id: "refund", kind: "tool", tool: "refund", approval: true },
		],
		edges: ids.map((from, index) => ({ from, to: ids[index + 1] ?? "refund", mode: "then" })),
		limits: { maxSteps: 2 * turns + 1 },
	};
	const replyModel = createReplyModel();
	const engine = prepareEngine(graph, () => replyModel);
	return async (mark) => {
		const run = engine.start({ input: "A question." });
		const { status, approvals } = await run.result;
		if (status !== "paused") throw new Error(`The run is ${status}.`);
		mark();
		const saved = JSON.stringify(run.serialize());
		mark();
		const decisions = approvals.map(({ id }) => ({ approval_id: id, decision: "approve" }));
		const end = await engine.resume(JSON.parse(saved), { decisions }).result;
		if (end.status !== "completed") throw new Error(`The run ended as ${end.status}: ${end.error?.message}`);
		mark();
		return saved.length;
	};
}

/** It saves as it runs, into memory and not as JSON. */
export function prepareLangGraph(turns) {
	const replyModel = createReplyModel();
	const builder = new StateGraph(Annotation.Root({ text: Annotation() }));
	const ids = toIds(turns);
	for (const id of ids)
		builder.addNode(id, async ({ text }) => {
			const reply = await ask(replyModel, { messages: [{ role: "user", content: text }] });
			return { text: reply.text };
		});
	builder.addNode("refund", ({ text }) => ({ text: interrupt(text) }));
	for (const [index, id] of [...ids, "refund", END].entries())
		builder.addEdge([START, ...ids, "refund"][index], id);
	const graph = builder.compile({ checkpointer: new MemorySaver() });
	let runs = 0;
	return async (mark) => {
		runs += 1;
		const options = { configurable: { thread_id: `run ${runs}` }, recursionLimit: turns + 10 };
		const paused = await graph.invoke({ text: "A question." }, options);
		if (paused.__interrupt__ === undefined) throw new Error("The run did not pause.");
		mark();
		mark();
		const { text } = await graph.invoke(new Command({ resume: "approved" }), options);
		if (text !== "approved") throw new Error("The run did not go on.");
		mark();
		await graph.checkpointer.deleteThread(`run ${runs}`);
	};
}

/** It saves as it runs, into memory and not as JSON. */
export function prepareMastra(turns) {
	const replyModel = createReplyModel();
	const text = z.string();
	let workflow = createWorkflow({
		id: "approval",
		inputSchema: text,
		outputSchema: text,
		options: { validateInputs: false },
	});
	for (const id of toIds(turns)) {
		const execute = async ({ inputData }) =>
			(await ask(replyModel, { messages: [{ role: "user", content: inputData }] })).text;
		workflow = workflow.then(createStep({ id, inputSchema: text, outputSchema: text, execute }));
	}
	const execute = async ({ resumeData, suspend }) =>
		resumeData === undefined ? suspend({}) : resumeData.decision;
	const resumeSchema = z.object({ decision: text });
	const refund = createStep({ id: "refund", inputSchema: text, outputSchema: text, resumeSchema, execute });
	const storage = new InMemoryStore();
	new Mastra({ logger: false, storage, workflows: { approval: workflow.then(refund).commit() } });
	return async (mark) => {
		const run = await workflow.createRun();
		const { status } = await run.start({ inputData: "A question." });
		if (status !== "suspended") throw new Error(`The run is ${status}.`);
		mark();
		mark();
		const end = await run.resume({ step: "refund", resumeData: { decision: "approve" } });
		if (end.status !== "success") throw new Error(`The run ended as ${end.status}: ${end.error?.message}`);
		mark();
		await workflow.deleteWorkflowRunById?.(run.runId);
	};
}

const toIds = (turns) => Array.from({ length: turns }, (_, index) => `node_${index}`);
