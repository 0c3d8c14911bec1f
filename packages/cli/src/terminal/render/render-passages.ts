import type { FoundPassage } from "@stemma/client";
import { sanitizeLine, style, type Terminal } from "../terminal";
import { describePlace } from "../text/describe-place";
import { getColumns } from "../text/wrap-columns";
import { wrapWords } from "../text/wrap-words";

/** Layout of found passages. */
export interface PassageLayout {
	/** All of each passage, with its lines as they are. Default: the beginning. */
	readonly isFull: boolean;
}

const LOCATION_ROWS = 2;
const TEXT_ROWS = 3;
const MARGIN = "     ";

/**
 * Passages that were found: number, title and score as a share of the best one; knowledge base, source, place and heading;
 * text.
 */
export const renderPassages = (
	passages: readonly FoundPassage[],
	terminal: Pick<Terminal, "stdout">,
	layout: PassageLayout,
): string => {
	const best = passages[0]?.score ?? 0;
	return passages
		.map((passage, index) =>
			renderPassage(
				passage,
				{ number: index + 1, score: describeScore(passage.score, best) },
				terminal,
				layout,
			),
		)
		.join("\n");
};

/** Score as a share of the best one: what it is of depends on how the service searches. */
const describeScore = (score: number, best: number): string =>
	best > 0 ? `${Math.round((100 * score) / best)} %` : String(Number(score.toPrecision(3)));

function renderPassage(
	passage: FoundPassage,
	{ number, score: scoreText }: { readonly number: number; readonly score: string },
	{ stdout }: Pick<Terminal, "stdout">,
	{ isFull }: PassageLayout,
): string {
	const label = style(stdout, "cyan", `[${number}]`.padEnd(MARGIN.length));
	const title = style(stdout, "bold", sanitizeLine(passage.title));
	const score = style(stdout, "dim", `  score ${scoreText}`);
	const columns = getColumns(stdout) - MARGIN.length;
	const location = wrapWords(describeLocation(passage), columns, isFull ? undefined : LOCATION_ROWS);
	const rows = isFull
		? passage.text.split(/\r?\n/).flatMap((line) => wrapWords(line, columns))
		: wrapWords(passage.text, columns, TEXT_ROWS);
	const lines = [...location.map((line) => style(stdout, "dim", line)), ...rows];
	const body = lines.map((line) => `${MARGIN}${line}`.trimEnd());
	return [`${label}${title}${score}`, ...body, ""].join("\n");
}

/** `handbook: fees.pdf, page 3 › Fees › Late payment` */
function describeLocation({ knowledge_base, source, document_id, place }: FoundPassage): string {
	const file = [source ?? document_id, describePlace(place)].filter((text) => text !== "").join(", ");
	const named = `${knowledge_base}: ${file}`;
	return place.heading === undefined ? named : `${named} › ${place.heading}`;
}
