import type { ServiceProcess } from "../end-to-end/servers";

/** Stores an agent that reads one page before it answers. */
export async function storeDesk({ stemma: { knowledge, agents } }: ServiceProcess): Promise<void> {
	const { id } = await knowledge.create({ name: "Shop" });
	const file = Buffer.from("# Refunds\n\nA refund takes five working days.\n");
	const upload = await knowledge.documents.upload(id, { files: [{ file, name: "refunds.md" }] });
	await knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 });
	await agents.create({
		slug: "shop-desk",
		graph: {
			nodes: [
				{ id: "desk", kind: "coordinator", instructions: "Answer from the passages, and cite them." },
				{ id: "pages", kind: "knowledge", knowledgeBases: [id], topK: 2 },
			],
			edges: [{ from: "desk", to: "pages", mode: "before" }],
		},
	});
}
