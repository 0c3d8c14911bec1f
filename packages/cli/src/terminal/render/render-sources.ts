import type { Citation } from "@stemma/core";
import { sanitizeLine, style, type Terminal } from "../terminal";
import { describePlace } from "../text/describe-place";

/** The file that a citation is from. Where it is not known, its source stands in, or else the title of its document. */
export type PathOf = (citation: Citation) => string | undefined;

/** The cited passages: number, file, place in it, heading. Nothing where nothing is cited. */
export function renderSources(
	citations: readonly Citation[],
	pathOf: PathOf,
	{ stdout }: Pick<Terminal, "stdout">,
): string {
	if (citations.length === 0) return "";
	const lines = citations.map((citation) => {
		const { n, title, source, place, support } = citation;
		const number = style(stdout, "cyan", `[${n}]`);
		const heading = place.heading === undefined ? "" : ` › ${place.heading}`;
		const inFile = describePlace(place);
		const file = `${pathOf(citation) ?? source ?? title}${inFile === "" ? "" : `, ${inFile}`}`;
		const weak = support === "weak" ? style(stdout, "yellow", " (weak)") : "";
		return `  ${number} ${sanitizeLine(file)}${style(stdout, "dim", sanitizeLine(heading))}${weak}\n`;
	});
	return `\n${style(stdout, "bold", "Sources")}\n${lines.join("")}`;
}
