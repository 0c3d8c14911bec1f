import type { RequestScope } from "../request-scope";

/** Knowledge bases and agents of a workspace that its caller may not use. */
export interface HiddenItems {
	readonly knowledgeBaseIds: readonly string[];
	/** Ids and slugs. */
	readonly knowledgeBaseNames: ReadonlySet<string>;
	readonly agentIds: readonly string[];
	/** Ids and slugs. */
	readonly agentNames: ReadonlySet<string>;
	/** Id of a person who may not see runs that were limited to others when they were made; left out where all are seen. */
	readonly visibleTo: string | undefined;
}

/** Parts of a request that decide what its caller may use. */
export type AccessScope = Pick<RequestScope, "caller" | "workspace">;

const EMPTY_ITEMS: HiddenItems = {
	knowledgeBaseIds: [],
	knowledgeBaseNames: new Set(),
	agentIds: [],
	agentNames: new Set(),
	visibleTo: undefined,
};

/**
 * Finds what a caller may not use. Access is a matter between the members of a workspace: clients have its data by their
 * scopes, client keys by what they were made for, and admins give access to whom they like.
 */
export async function findHiddenItems({ caller, workspace }: AccessScope): Promise<HiddenItems> {
	if (caller.kind !== "user" || caller.role === "admin") return EMPTY_ITEMS;
	const items = await workspace.store.access.listHidden(caller.id);
	if (items.length === 0) return { ...EMPTY_ITEMS, visibleTo: caller.id };
	const bases = items.filter(({ kind }) => kind === "knowledge_base");
	const agents = items.filter(({ kind }) => kind === "agent");
	return {
		knowledgeBaseIds: bases.map(({ id }) => id),
		knowledgeBaseNames: new Set(bases.flatMap(({ id, slug }) => [id, slug])),
		agentIds: agents.map(({ id }) => id),
		agentNames: new Set(agents.flatMap(({ id, slug }) => [id, slug])),
		visibleTo: caller.id,
	};
}
