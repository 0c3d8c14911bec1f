import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const toGraph = (index) => ({
	name: `desk-${index}`,
	description: "Answers customer questions.",
	nodes: [
		{
			id: "desk",
			kind: "coordinator",
			instructions: `Answer for {{context.customer}}. ${"Be brief. ".repeat(40)}`,
		},
		{ id: "billing", kind: "agent", description: "Knows invoices.", instructions: "You know invoices." },
		{ id: "handbook", kind: "knowledge", description: "The handbook.", knowledgeBases: ["kb_1"] },
		{ id: "legal", kind: "remote", agentId: "ag_legal", description: "Knows the law." },
	],
	edges: [
		{ from: "desk", to: "handbook", mode: "before" },
		{ from: "desk", to: "billing", maxCalls: 3 },
		{ from: "billing", to: "legal" },
	],
	limits: { maxSteps: 64, timeoutMs: 120_000 },
});

/** A folder of so many agents, one in five of them a manifest; the first answers by itself, without end. */
export function writeAgentFiles(count) {
	const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
	const endlessAgent = { nodes: [{ id: "chatter", kind: "coordinator", instructions: "Go on." }] };
	for (let index = 0; index < count; index++) {
		const name = index === 0 ? "chatter" : `desk-${index}`;
		const content =
			index % 5 === 4
				? { id: name, remoteAgentId: `ag_${index}` }
				: index === 0
					? endlessAgent
					: toGraph(index);
		writeFileSync(join(folder, `${name}.json`), JSON.stringify(content, undefined, "\t"));
	}
	return folder;
}
