import type { AgentGraph } from "@stemma/core";

/** Templates of new agents. */
export const TEMPLATES = ["answer", "knowledge", "team"] as const;

export type Template = (typeof TEMPLATES)[number];

interface TemplateOptions {
	readonly name: string;
	/** Slugs of the knowledge bases to answer from. */
	readonly knowledgeBases: readonly string[];
}

/** Creates the graph of a template. Without knowledge bases, `knowledge` is not offered. */
export function createFromTemplate(
	template: Template,
	{ name, knowledgeBases }: TemplateOptions,
): AgentGraph {
	const [first, ...others] = knowledgeBases;
	const pages = first === undefined ? [] : [toKnowledge([first, ...others])];
	switch (template) {
		case "answer":
			return { name, nodes: [{ id: "assistant", kind: "coordinator", instructions: ANSWER }] };
		case "knowledge":
			return {
				name,
				nodes: [{ id: "assistant", kind: "coordinator", instructions: FROM_KNOWLEDGE }, ...pages],
				edges: pages.map(({ id }) => ({ from: "assistant", to: id, mode: "before" })),
			};
		case "team":
			return {
				name,
				nodes: [
					{ id: "desk", kind: "coordinator", instructions: DESK },
					{
						id: "expert",
						kind: "agent",
						description: "Answers questions about details.",
						instructions: EXPERT,
					},
					...pages,
				],
				edges: [
					{ from: "desk", to: "expert", mode: "call", maxCalls: 3 },
					...pages.map(({ id }) => ({ from: "expert", to: id, mode: "before" }) as const),
				],
			};
	}
}

const ANSWER = "Answer in short, friendly sentences.";
const FROM_KNOWLEDGE =
	"Answer from the passages alone, and cite them. Say so where they do not answer the question.";
const DESK = "Answer what you know. Ask the expert about details, and pass on what it says.";
const EXPERT = "Answer from the passages where there are some, and cite them. Be exact.";

const toKnowledge = (knowledgeBases: readonly [string, ...string[]]) =>
	({
		id: "documents",
		kind: "knowledge",
		description: "Passages of the documents.",
		knowledgeBases,
	}) as const;
