import { closestName } from "@stemma/core/internal";
import type { DomainError } from "../errors/domain-error";
import { knowledgeBaseNotFound } from "./knowledge-errors";
import type { KnowledgeBaseRepository } from "./repositories/knowledge-base-repository";

/** Names of knowledge bases as callers write them: ids, or slugs, which are never ids. */
export interface KnowledgeBaseNames {
	/**
	 * Resolves names to ids, one for each, in their order. Ids stay as they are, and so does a slug that no knowledge base
	 * has: it is no id of any.
	 */
	resolveIds(idsOrSlugs: readonly string[]): Promise<readonly string[]>;
	/** Wraps a method whose first argument is an id: it takes a slug as well. */
	withId<Rest extends readonly unknown[], Result>(
		method: (id: string, ...rest: Rest) => Promise<Result>,
	): (idOrSlug: string, ...rest: Rest) => Promise<Result>;
	/** Creates the error of a name that no knowledge base has, with the slug that was probably meant, if all members may know of it. */
	createNotFoundError(idOrSlug: string): Promise<DomainError>;
}

const isId = (name: string): boolean => name.startsWith("kb_");

export function createKnowledgeBaseNames(
	repository: Pick<KnowledgeBaseRepository, "listIds" | "listOpenSlugs">,
): KnowledgeBaseNames {
	async function resolveIds(idsOrSlugs: readonly string[]): Promise<readonly string[]> {
		const slugs = idsOrSlugs.filter((name) => !isId(name));
		const found = slugs.length === 0 ? [] : await repository.listIds(slugs);
		const ids = new Map(found.map(({ id, slug }) => [slug, id]));
		return idsOrSlugs.map((name) => ids.get(name) ?? name);
	}
	async function createNotFoundError(name: string): Promise<DomainError> {
		const meant = isId(name) ? undefined : closestName(name, await repository.listOpenSlugs());
		return knowledgeBaseNotFound(name, { meant });
	}
	return {
		resolveIds,
		withId:
			(method) =>
			async (name, ...rest) => {
				const [id = name] = await resolveIds([name]);
				if (!isId(id)) throw await createNotFoundError(name);
				return method(id, ...rest);
			},
		createNotFoundError,
	};
}
