import { type AgentGraph, formatPath, type Json } from "@stemma/core";
import { closestName, quote } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";

/** A knowledge base of the workspace. */
export interface NamedKnowledgeBase {
	readonly id: string;
	readonly slug: string;
	readonly name: string;
}

export interface CheckKnowledgeBasesOptions {
	/** All that the workspace has. */
	readonly existing: readonly NamedKnowledgeBase[];
	/** True where the caller may learn which knowledge bases exist. */
	readonly canSeeKnowledgeBases: boolean;
}

/**
 * Asserts that every knowledge base that a graph names exists.
 *
 * @throws DomainError 422 `agent_invalid` with an issue `unknown_knowledge_base` for each that does not.
 */
export function checkKnowledgeBases(graph: AgentGraph, options: CheckKnowledgeBasesOptions): void {
	const names = new Set(options.existing.flatMap(({ id, slug }) => [id, slug]));
	const issues = listReferences(graph)
		.filter(({ id }) => !names.has(id))
		.map(({ id, path }) => ({ code: "unknown_knowledge_base", message: describeUnknown(id, options), path }));
	const [first] = issues;
	if (first === undefined) return;
	const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
	throw new DomainError("agent_invalid", `The graph has ${count}; the first: ${first.message}`, {
		hint: options.canSeeKnowledgeBases
			? "Name knowledge bases by slug or id: GET /v1/knowledge-bases lists them. details.issues lists all problems."
			: "Name knowledge bases by slug or id. details.issues lists all problems.",
		param: formatPath(["graph", ...first.path]),
		details: { issues: issues as Json[] },
	});
}

const listReferences = ({ nodes }: AgentGraph) =>
	nodes.flatMap((node, index) =>
		node.kind !== "knowledge"
			? []
			: node.knowledgeBases.map((id, position) => ({
					id,
					path: ["nodes", index, "knowledgeBases", position],
				})),
	);

function describeUnknown(id: string, { existing, canSeeKnowledgeBases }: CheckKnowledgeBasesOptions): string {
	const unknown = `There is no knowledge base ${quote(id)}.`;
	const similar = canSeeKnowledgeBases ? findSimilar(id, existing) : undefined;
	return similar === undefined
		? unknown
		: `${unknown} Did you mean ${quote(similar.slug)} (${quote(similar.name)})?`;
}

/** Finds the knowledge base with the closest slug, or else the closest name, or else the closest id. */
function findSimilar(text: string, existing: readonly NamedKnowledgeBase[]): NamedKnowledgeBase | undefined {
	for (const field of ["slug", "name", "id"] as const) {
		const closest = closestName(
			text,
			existing.map((base) => base[field]),
		);
		if (closest !== undefined) return existing.find((base) => base[field] === closest);
	}
	return undefined;
}
