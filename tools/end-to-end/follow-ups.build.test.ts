import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stemma } from "@stemma/client";
import type { AgentGraph, RunResult } from "@stemma/core";
import { createLocalAgent, servicePorts } from "@stemma/local";
import { createRuntime } from "@stemma/runtime";
import { resolveConfiguration, startService } from "@stemma/service";
import { answerInternalRequest } from "@stemma/simulators/internal-requests";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MESSAGES = [
	{ role: "user", content: "May I come by bicycle?" },
	{ role: "assistant", content: "Yes: a bicycle has a rack of its own." },
	{ role: "user", content: "And what is the price?" },
] as const;
const TEXTS = ["A bicycle rack is eight euros a month.", "Lunch is free on Fridays."];

interface Deployment {
	/** Runs the conversation in the service, in a runtime beside it and in this process. */
	readonly runs: Readonly<Record<string, () => Promise<RunResult>>>;
	close(): Promise<void>;
}

let vendor: OpenAiSimulator;
beforeAll(async () => {
	vendor = await startOpenAiSimulator({
		answerInternal: (request) =>
			request.system.startsWith("You turn") ? "bicycle rack euros" : answerInternalRequest(request),
	});
});
afterAll(() => vendor?.close());

async function startDeployment(content: object): Promise<Deployment> {
	const data = await mkdtemp(join(tmpdir(), "stemma-follow-ups-"));
	const service = await startService(
		resolveConfiguration({ content: { data, listen: { port: 0 }, log: { level: "silent" }, ...content } }),
	);
	const { client_id: clientId, client_secret: clientSecret } = JSON.parse(
		await readFile(service.bootstrapCredentials.path, "utf8"),
	);
	const stemma = new Stemma({ baseUrl: service.url, clientId, clientSecret });
	const { id } = await stemma.knowledge.create({ name: "Office" });
	for (const text of TEXTS) {
		const upload = await stemma.knowledge.documents.addText(id, { text });
		await stemma.knowledge.documents.waitUntilReady(id, upload, { pollMs: 20 });
	}
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "office", kind: "knowledge", knowledgeBases: [id], topK: 1 },
		],
		edges: [{ from: "desk", to: "office", mode: "before" }],
	};
	await stemma.agents.create({ slug: "desk", graph });
	const runtime = await createRuntime({ agents: { desk: graph }, client: stemma, log: () => undefined });
	const input = { messages: MESSAGES };

	async function runInRuntime(): Promise<RunResult> {
		const request = new Request("http://127.0.0.1:4120/run/desk", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ input }),
		});
		return (await (await runtime.fetch(request)).json()) as RunResult;
	}

	return {
		runs: {
			service: () => stemma.agents.run("desk", { input }),
			runtime: runInRuntime,
			process: () => createLocalAgent(graph, { ports: servicePorts(stemma.client) }).run({ input }),
		},
		async close() {
			await runtime.close(0);
			await service.close(0);
			await rm(data, { recursive: true, force: true });
		},
	};
}

describe("a follow-up question finds the same in the service, in a runtime beside it and in a process", () => {
	it("where a model rewrites it, with the same receipt", async () => {
		const main = { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "small" };
		const { runs, close } = await startDeployment({ providers: { main }, chat: "main" });
		for (const [environment, run] of Object.entries(runs)) {
			const { receipt } = await run();
			const rows = receipt.map(({ stage, node, payer }) => [stage, node, payer]);
			expect(rows, environment).toEqual([
				["rewrite", "office", "deployment"],
				["answer", "desk", "deployment"],
			]);
			expect(JSON.stringify(vendor.requests.at(-1)?.body), environment).toContain(TEXTS[0]);
		}
		await close();
	});

	it("where no model does, by the words of the last messages", async () => {
		const { runs, close } = await startDeployment({ chat: "extractive" });
		for (const [environment, run] of Object.entries(runs)) {
			const { output, receipt } = await run();
			expect(output, environment).toContain("bicycle rack");
			expect(
				receipt.map(({ stage }) => stage),
				environment,
			).toEqual(["answer"]);
		}
		await close();
	});
});
