import type { Api } from "./api.ts";

/** What stays the same over all starts of a service under test. */
export interface TestData {
	/** On the disk, like all that was acknowledged: a start ends no token. */
	readonly token: string;
	readonly knowledgeBase: string;
	readonly agent: string;
}

/** Creates a knowledge base, and an agent that answers from it. */
export async function createTestData(api: Api): Promise<Omit<TestData, "token">> {
	const { id: knowledgeBase } = await api.post<{ id: string }>("/v1/knowledge-bases", { name: "books" });
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	const { id: agent } = await api.post<{ id: string }>("/v1/agents", { graph, slug: "desk" });
	return { knowledgeBase, agent };
}
