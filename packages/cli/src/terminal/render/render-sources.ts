import type { Citation } from "@stemma/core";
import { sanitizeLine, style, type Terminal } from "../terminal";

/** The file that a citation is from; its document's title stands in where that is not known. */
export type PathOf = (citation: Citation) => string | undefined;

/** The cited passages: number, file, heading. Nothing where nothing is cited. */
export function renderSources(
	citations: readonly Citation[],
	pathOf: PathOf,
	{ stdout }: Pick<Terminal, "stdout">,
): string {
	if (citations.length === 0) return "";
	const lines = citations.map((citation) => {
		const { n, title, place, support } = citation;
		const number = style(stdout, "cyan", `[${n}]`);
		const heading = place.heading === undefined ? "" : ` › ${place.heading}`;
		const file = pathOf(citation) ?? title;
		const weak = support === "weak" ? style(stdout, "yellow", " (weak)") : "";
		return `  ${number} ${sanitizeLine(file)}${style(stdout, "dim", sanitizeLine(heading))}${weak}\n`;
	});
	return `\n${style(stdout, "bold", "Sources")}\n${lines.join("")}`;
}
