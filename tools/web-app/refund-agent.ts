import type { AgentGraph, Stemma } from "@stemma/client";

const DOCUMENT = "# Refunds\n\nA refund takes five working days.\n";

/** Name, description and arguments with markup, and letters that cannot be seen. */
export const HOSTILE_TEXT =
	'<img src="https://evil.example/a.png" onerror="alert(1)"> [x](javascript:alert(2)) safe\u202efdp.exe\u200b';

/** A knowledge base with one document that is ready. */
export async function createHandbook({ knowledge }: Stemma): Promise<string> {
	const { id } = await knowledge.create({ name: "Handbook", slug: "handbook" });
	const files = [{ file: Buffer.from(DOCUMENT), name: "refunds.md" }];
	const upload = await knowledge.documents.upload(id, { files });
	await knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 });
	return id;
}

/** Graph of a desk that reads the handbook, asks a specialist, and pays with a tool that waits for a person. */
export const createRefundGraph = (server: string): AgentGraph => ({
	name: "Refund desk",
	description: HOSTILE_TEXT,
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Help." },
		{ id: "law", kind: "agent", description: "Knows the law.", instructions: "Be exact." },
		{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook"], topK: 2 },
		{ id: "pay", kind: "tool", description: "Pays money back.", tool: "refund", server, approval: true },
	],
	edges: [
		{ from: "desk", to: "pages", mode: "before" },
		{ from: "desk", to: "law", mode: "call", maxCalls: 2 },
		{ from: "desk", to: "pay", mode: "call", maxCalls: 1 },
	],
});
