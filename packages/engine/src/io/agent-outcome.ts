import type { AgentGraphIssue, Citation, Json, ReceiptRow } from "@stemma/core";
import { ConfigurationError } from "@stemma/core";
import { copyJson, isJsonObject } from "@stemma/core/internal";
import { type OutputSource, readOutput } from "./port-output";
import { throwInvalidResult } from "./port-results";
import type { AgentOutcome, RetrievedPassage } from "./ports";

/** Outcome of another agent, after validation. */
export interface CheckedOutcome {
	readonly output: Json;
	/** Passages that the output cites, by their number in it, from 1; with holes where the agent skips numbers. */
	readonly passages: readonly RetrievedPassage[];
	readonly receipt: readonly ReceiptRow[];
}

/**
 * @param node - the remote node, for errors.
 * @throws ConfigurationError `port_result_invalid` for what is no outcome, `remote_result_invalid` for output that is not
 * JSON, and `remote_result_too_large`.
 */
export function checkOutcome(
	outcome: AgentOutcome | undefined,
	receipt: readonly ReceiptRow[],
	node: string,
): CheckedOutcome {
	if (!isJsonObject(outcome) || outcome.output === undefined)
		throwInvalidResult("agents", `\`{ output }\` for the node "${node}"`);
	return {
		output: readAgentOutput(outcome.output, node),
		passages: readPassages(outcome.citations ?? [], node),
		receipt,
	};
}

/**
 * Copies the output of a remote agent as the engine takes it: as JSON. For hosts that store results before the engine sees
 * them.
 *
 * @param node - the remote node, for errors.
 * @throws ConfigurationError `remote_result_invalid` or `remote_result_too_large`.
 */
export const readAgentOutput = (output: unknown, node: string): Json => readOutput(output, toSource(node));

const toSource = (node: string): OutputSource => ({
	code: "remote",
	action: `The remote agent "${node}" was run`,
	formatHint: "The agent has to give text, or JSON.",
	sizeHint: "Change the remote agent so that it returns less: a part, a page or a summary.",
});

function readPassages(citations: unknown, node: string): readonly RetrievedPassage[] {
	const issues: AgentGraphIssue[] = [];
	const list = copyJson(citations, issues);
	if (issues.length > 0 || !Array.isArray(list) || !list.every(isCitation))
		throwInvalidResult(
			"agents",
			`citations of the form \`{ n, passage_id, document_id, title, place, text }\` for the node "${node}"`,
		);
	const passages: RetrievedPassage[] = [];
	let characters = 0;
	for (const citation of list) {
		const passage = toRetrievedPassage(citation);
		characters += countCharacters(passage);
		passages[citation.n - 1] = passage;
	}
	if (characters > MAX_PASSAGE_CHARACTERS) throw passagesTooLarge(node, characters);
	return passages;
}

/** A passage or citation without what belongs to the answer; of an address, one that a page may link alone. */
export function toRetrievedPassage(passage: RetrievedPassage): RetrievedPassage {
	const { passage_id, document_id, title, source, url, metadata, place, text } = passage;
	return {
		passage_id,
		document_id,
		title,
		...(isText(source) && { source }),
		...(isText(url) && /^https?:\/\//i.test(url) && { url }),
		...(isJsonObject(metadata) && { metadata }),
		place,
		text,
	};
}

const isText = (value: unknown): value is string => typeof value === "string";

function countCharacters({ title, source, url, metadata, text }: RetrievedPassage): number {
	const added = metadata === undefined ? 0 : JSON.stringify(metadata).length;
	return title.length + text.length + (source?.length ?? 0) + (url?.length ?? 0) + added;
}

/** Longest passage of another agent, in characters. Passages are not sent to a model; they are part of the result. */
const MAX_PASSAGE_CHARACTERS = 1_000_000;

const MAX_CITATIONS = 100_000;

export function isCitation(value: unknown): value is Citation {
	return (
		isJsonObject(value) &&
		isNumber(value.n) &&
		Number.isInteger(value.n) &&
		value.n >= 1 &&
		value.n <= MAX_CITATIONS &&
		[value.passage_id, value.document_id, value.title, value.text].every(
			(part) => typeof part === "string",
		) &&
		isJsonObject(value.place) &&
		isNumber(value.place.start) &&
		isNumber(value.place.end)
	);
}

const isNumber = (value: unknown): value is number => typeof value === "number";

const passagesTooLarge = (node: string, characters: number): ConfigurationError =>
	new ConfigurationError(
		`The remote agent "${node}" ran, but the passages that it cites have ${characters.toLocaleString("en")} characters; the maximum is ${MAX_PASSAGE_CHARACTERS.toLocaleString("en")}.`,
		{
			code: "remote_result_too_large",
			hint: "Change the remote agent so that it cites fewer or shorter passages.",
		},
	);
