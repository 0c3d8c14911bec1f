import type { KnowledgeBase } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { closestName } from "@stemma/core/internal";

type NamedKnowledgeBase = Pick<KnowledgeBase, "id" | "slug" | "name">;

/** Checks whether the service takes a text as it is. Names need the list of knowledge bases, which not every credential may see. */
export const isIdOrSlug = (text: string): boolean => /^(kb_[0-9a-z]{26}|[a-z0-9]+(-[a-z0-9]+)*)$/.test(text);

/**
 * The knowledge base of that id, slug or name, if there is one.
 *
 * @throws ConfigurationError when several have the name.
 */
export function findKnowledgeBase<Base extends NamedKnowledgeBase>(
	idOrName: string,
	all: readonly Base[],
): Base | undefined {
	const found = all.find(({ id }) => id === idOrName) ?? all.find(({ slug }) => slug === idOrName);
	if (found !== undefined) return found;
	const named = all.filter(({ name }) => name === idOrName);
	if (named.length > 1)
		throw new ConfigurationError(`${named.length} knowledge bases are called "${idOrName}".`, {
			hint: `Give the slug: ${named.map(({ slug }) => slug).join(", ")}.`,
		});
	return named[0];
}

/**
 * Returns the knowledge base of that id, slug or name. @throws ConfigurationError when there is none, with what was probably
 * meant, or when several have the name.
 */
export function getKnowledgeBase<Base extends NamedKnowledgeBase>(
	idOrName: string,
	all: readonly Base[],
	hint = listKnowledgeBases(all),
): Base {
	const found = findKnowledgeBase(idOrName, all);
	if (found !== undefined) return found;
	const suggestion = closestName(
		idOrName,
		all.flatMap(({ id, slug, name }) => [slug, name, id]),
	);
	throw new ConfigurationError(
		`There is no knowledge base "${idOrName}".${suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`}`,
		{ code: "knowledge_base_not_found", hint },
	);
}

const MAX_LISTED = 20;

export function listKnowledgeBases(all: readonly NamedKnowledgeBase[]): string {
	if (all.length === 0) return "There is none yet.";
	const names = all
		.slice(0, MAX_LISTED)
		.map(({ slug, name }) => (slug === name ? slug : `${slug} ("${name}")`));
	const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : "";
	return `There ${all.length === 1 ? "is" : "are"} ${names.join(", ")}${more}.`;
}

export const CREATE_KNOWLEDGE_BASE = "Create one from a folder: stemma ingest <folder> --kb <name> --create";
