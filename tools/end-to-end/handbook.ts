import { readFile } from "node:fs/promises";
import type { Stemma } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";

const folder = new URL("../../examples/handbook/documents/", import.meta.url);

export const QUESTION = "How many weeks of parental leave do I get, and is it paid?";
/** What the answer must say, and the document that says it. */
export const FACT = "16 weeks";
const SOURCE = "benefits-pay-perks/benefits-perks/parental-leave.md";

const SOURCES = [
	SOURCE,
	"benefits-pay-perks/benefits-perks/celebrate.md",
	"benefits-pay-perks/benefits-perks/leave-of-absence.md",
	"benefits-pay-perks/benefits-perks/nomad-life.md",
	"benefits-pay-perks/benefits-perks/time-off/index.md",
	"benefits-pay-perks/benefits-perks/travel/Navan.md",
	"benefits-pay-perks/pay-expenses/invoices.md",
	"company-info-and-process/communication/retrospectives.md",
	"company-info-and-process/policies/access-control-policy.md",
	"company-info-and-process/working-at-sourcegraph/holidays.md",
];

/** A knowledge base that is ready, and agents over it. */
export interface Handbook {
	readonly knowledgeBaseId: string;
	/** The document that has the fact. */
	readonly documentId: string;
	readonly deskAgentId: string;
	readonly callingAgentId: string;
}

export async function ingestHandbook({ knowledge, agents }: Stemma): Promise<Handbook> {
	const { id } = await knowledge.create({ name: "Handbook" });
	const files = await Promise.all(
		SOURCES.map(async (source) => ({
			file: await readFile(new URL(source, folder)),
			name: source.split("/").at(-1) ?? source,
			source,
		})),
	);
	const upload = await knowledge.documents.upload(id, { files });
	const [desk, calling, ready] = await Promise.all([
		agents.create({ slug: "desk", graph: deskGraph(id) }),
		agents.create({ slug: "calling-desk", graph: callingGraph(id) }),
		knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 }),
	]);
	const documentId = ready.find(({ source }) => source === SOURCE)?.id ?? "";
	return { knowledgeBaseId: id, documentId, deskAgentId: desk.id, callingAgentId: calling.id };
}

const INSTRUCTIONS = "Answer from the passages that you are given, and cite them by their numbers.";

/** A coordinator that reads before it answers. */
export const deskGraph = (knowledgeBaseId: string): AgentGraph => ({
	name: "desk",
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: INSTRUCTIONS },
		{ id: "pages", kind: "knowledge", knowledgeBases: [knowledgeBaseId], topK: 6 },
	],
	edges: [{ from: "desk", to: "pages", mode: "before" }],
});

/** A coordinator that asks a specialist, who alone may read. */
const callingGraph = (knowledgeBaseId: string): AgentGraph => ({
	name: "calling-desk",
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Ask `benefits`, and keep its citations." },
		{ id: "benefits", kind: "agent", description: "Knows leave and perks", instructions: INSTRUCTIONS },
		{ id: "pages", kind: "knowledge", knowledgeBases: [knowledgeBaseId], topK: 6 },
	],
	edges: [
		{ from: "desk", to: "benefits", maxCalls: 1 },
		{ from: "benefits", to: "pages", mode: "before" },
	],
});
