import { ConfigurationError } from "@stemma/core/errors";

/** One `--docs`: a folder for every knowledge base, or for the one that is named. */
export interface DocsOption {
	readonly knowledgeBase: string | undefined;
	readonly folder: string;
}

/** Reads `<folder>` or `<knowledge base>=<folder>`. */
export function parseDocsOption(text: string): DocsOption {
	const [, knowledgeBase, named] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(text) ?? [];
	const folder = named ?? text;
	if (folder === "")
		throw new ConfigurationError(
			"--docs needs a folder: --docs <folder>, or --docs <knowledge base>=<folder>.",
		);
	return { knowledgeBase, folder };
}

/**
 * Assigns a folder to each knowledge base, from which it is read.
 *
 * @throws ConfigurationError for a knowledge base without a folder, and for a folder that no knowledge base uses.
 */
export function assignFolders(
	knowledgeBases: readonly string[],
	options: readonly DocsOption[],
): Map<string, string> {
	const unnamed = options.filter(({ knowledgeBase }) => knowledgeBase === undefined);
	if (unnamed.length > 1)
		throw new ConfigurationError("More than one --docs without a knowledge base.", {
			hint: "Name it: --docs <knowledge base>=<folder>, once for each.",
		});
	const named = new Map(
		options.flatMap(({ knowledgeBase, folder }) =>
			knowledgeBase === undefined ? [] : [[knowledgeBase, folder]],
		),
	);
	const unused = [...named.keys()].filter((id) => !knowledgeBases.includes(id));
	if (unused.length > 0)
		throw new ConfigurationError(`The graph has no knowledge base named ${quoteAll(unused)}.`, {
			hint:
				knowledgeBases.length > 0 ? `It has ${quoteAll(knowledgeBases)}.` : "It has none; leave --docs out.",
		});
	const unassigned = knowledgeBases.filter((id) => !named.has(id));
	const [fallback] = unnamed;
	if (unassigned.length > 0 && fallback === undefined)
		throw new ConfigurationError(
			`The graph reads the knowledge base ${quoteAll(unassigned)}, and no documents were given for it.`,
			{
				hint: `Add --docs ${named.size > 0 ? `${unassigned[0]}=` : ""}<folder>, a folder of documents.`,
			},
		);
	return new Map(knowledgeBases.map((id) => [id, named.get(id) ?? fallback?.folder ?? ""]));
}

const quoteAll = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
