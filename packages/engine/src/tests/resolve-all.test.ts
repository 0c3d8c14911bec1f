import { type AgentGraph, ConfigurationError, StemmaError } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { ModelPort, RetrievalRequest, RunModelRequest } from "../index";
import { calls, receiptRow, runScripted, scriptedModel } from "../test-support/scripted";

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator", model: { model: "large", temperature: 0 } },
		{ id: "tail", kind: "agent", model: { provider: "bedrock" } },
		{ id: "aide", kind: "agent", description: "Helps." },
		{ id: "alone", kind: "agent" },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["kb_1"] },
		{ id: "law", kind: "knowledge", description: "Law.", knowledgeBases: ["kb_1", "kb_2"] },
	],
	edges: [
		{ from: "desk", to: "aide" },
		{ from: "desk", to: "law" },
		{ from: "desk", to: "tail", mode: "then" },
		{ from: "aide", to: "faq", mode: "before" },
	],
};

const model = scriptedModel({});
const resolve = (): never => {
	throw new Error("`resolveAll` takes its place.");
};

const run = (resolveAll: NonNullable<ModelPort["resolveAll"]>) =>
	runScripted(graph, { ports: { models: { resolve, resolveAll } } });

describe("a port that resolves all models of a run", () => {
	it("is asked once, for all nodes that the coordinator reaches", async () => {
		const requests: RunModelRequest[] = [];
		const { result } = await run((request) => {
			requests.push(request);
			return request.nodes.map(() => ({ model, payer: "workspace", reason: "It pays." }));
		});
		expect(result).toMatchObject({ status: "completed", output: "tail has nothing to say" });
		expect(requests).toMatchObject([
			{
				runId: result.run_id,
				nodes: [{ node: "desk", choice: { model: "large" } }, { node: "aide" }, { node: "tail" }],
				knowledgeBases: ["kb_1", "kb_2"],
			},
		]);
	});

	it("pays for each node as it says", async () => {
		const { result } = await run(({ nodes }) =>
			nodes.map(({ node }) => ({ model, payer: node === "tail" ? "deployment" : "workspace", reason: node })),
		);
		expect(result.receipt).toMatchObject([
			{ node: "desk", payer: "workspace", reason: "desk" },
			{ node: "tail", payer: "deployment", reason: "tail" },
		]);
	});

	it("ends the run with its one refusal, before anything is paid for", async () => {
		const details = { refusals: [{ node: "tail", code: "credential_required" }] };
		const { result } = await run(() => {
			throw new StemmaError("No model.", { code: "credential_required", hint: "Set a key." }, { details });
		});
		expect(result).toMatchObject({ status: "failed", receipt: [] });
		expect(result.error).toEqual({
			code: "credential_required",
			message: "No model.",
			hint: "Set a key.",
			details,
		});
	});

	it.each([
		["too few", [{ model, payer: "none" as const, reason: "" }]],
		["nothing", undefined as never],
	])("ends the run where it gives %s", async (_, args) => {
		const { result } = await run(async () => args);
		expect(result).toMatchObject({ error: { code: "port_result_invalid" }, receipt: [] });
	});

	it("is passed over where it is not there", async () => {
		const { result } = await runScripted(graph, {
			ports: { models: { resolve: ({ node }) => ({ model, payer: "none", reason: node }) } },
		});
		expect(result.receipt.map(({ reason }) => reason)).toEqual(["desk", "tail"]);
	});
});

describe("the error of a model's call", () => {
	const alone: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator" }] };
	const fail = (fields: object) =>
		runScripted(alone, {
			script: { desk: [Object.assign(new ConfigurationError("No.", { code: "broken" }), fields)] },
		});

	it("brings the row of the call", async () => {
		const row = receiptRow({ payer: "deployment", input_tokens: 0, output_tokens: 0 });
		const { result } = await fail({ receipt: [row] });
		expect(result).toMatchObject({ error: { code: "broken" }, receipt: [row], usage: { model_calls: 1 } });
		expect(result.receipt).toEqual([row]);
	});

	it("has no row for a call that nothing was sent for, and an estimate where it says nothing", async () => {
		expect((await fail({ attempts: 0 })).result.receipt).toEqual([]);
		expect((await fail({ receipt: [] })).result.receipt).toMatchObject([
			{ payer: "workspace", estimated: true },
		]);
	});
});

it("a retrieval knows what decides about the model that scores", async () => {
	const requests: RetrievalRequest[] = [];
	await runScripted(graph, {
		script: { desk: [calls(["aide", "?"]), "Done."] },
		ports: {
			retriever: {
				async retrieve(request) {
					requests.push(request);
					return { passages: [] };
				},
			},
		},
	});
	expect(requests).toMatchObject([
		{
			node: "faq",
			knowledgeBases: ["kb_1"],
			runKnowledgeBases: ["kb_1", "kb_2"],
			choice: { model: "large" },
		},
	]);
});
