import type { Knowledge, Source } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { closestName } from "@stemma/core/internal";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { sanitizeLine } from "../terminal/terminal";

const isSourceId = (text: string): boolean => /^src_[0-9a-z]{26}$/.test(text);

/**
 * Reads a source of a knowledge base by its id or its name.
 *
 * @throws ConfigurationError `source_not_found`, with what was probably meant; `source_ambiguous` where several have the name.
 */
export async function readSource(
	{ sources }: Knowledge,
	knowledgeBaseId: string,
	idOrName: string,
): Promise<Source> {
	if (isSourceId(idOrName)) return sources.get(knowledgeBaseId, idOrName);
	const all = await listAll(sources.list(knowledgeBaseId, FULL_PAGES));
	const [found, ...more] = all.filter(({ name }) => name === idOrName);
	if (found === undefined) throw sourceNotFound(idOrName, all);
	if (more.length === 0) return found;
	throw new ConfigurationError(`Several sources are called "${sanitizeLine(idOrName)}".`, {
		code: "source_ambiguous",
		hint: `Give the id of one: ${[found, ...more].map(({ id }) => id).join(", ")}.`,
	});
}

function sourceNotFound(name: string, all: readonly Source[]): ConfigurationError {
	const meant = closestName(
		name,
		all.map((source) => source.name),
	);
	const suggestion = meant === undefined ? "" : ` Did you mean "${sanitizeLine(meant)}"?`;
	return new ConfigurationError(
		`There is no source "${sanitizeLine(name)}" in this knowledge base.${suggestion}`,
		{ code: "source_not_found", hint: 'Give its id (src_…) or its name: "stemma sources list" shows both.' },
	);
}
