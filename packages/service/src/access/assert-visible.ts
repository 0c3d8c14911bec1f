import { agentNotFound } from "../agents/agents";
import { knowledgeBaseNotFound } from "../knowledge/knowledge-errors";
import { type AccessScope, findHiddenItems } from "./hidden-items";

/**
 * Asserts that a caller may use knowledge bases.
 *
 * @param names - ids or slugs.
 * @throws DomainError `knowledge_base_not_found`: what a member may not use is not there for them.
 */
export async function assertVisibleKnowledgeBases(
	scope: AccessScope,
	names: readonly string[],
): Promise<void> {
	if (names.length === 0) return;
	const { knowledgeBaseNames } = await findHiddenItems(scope);
	const hidden = names.find((name) => knowledgeBaseNames.has(name));
	if (hidden !== undefined) throw knowledgeBaseNotFound(hidden);
}

/**
 * Asserts that a caller may use an agent, and all that its graph needs.
 *
 * @param name - id or slug.
 * @throws DomainError `agent_not_found`
 */
export async function assertVisibleAgent(scope: AccessScope, name: string): Promise<void> {
	const { agentNames } = await findHiddenItems(scope);
	if (agentNames.has(name)) throw agentNotFound(name);
}

const ITEM_PATH = /^\/v1\/(knowledge-bases|agents)\/([^/]+)/;

/**
 * Asserts that a caller may use the knowledge base or the agent that the path of a request names.
 *
 * @throws DomainError `knowledge_base_not_found`, `agent_not_found`
 */
export async function assertVisiblePath(scope: AccessScope, path: string): Promise<void> {
	const [, kind, segment] = ITEM_PATH.exec(path) ?? [];
	if (segment === undefined) return;
	const name = decodeSegment(segment);
	await (kind === "agents" ? assertVisibleAgent(scope, name) : assertVisibleKnowledgeBases(scope, [name]));
}

/** Decodes a segment of a path as the router does, which leaves what is no valid escape. */
function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
