import { toTable } from "../engine/table.mjs";
import { toFigure } from "./figure.mjs";

/** Figures beside their targets. */
export function createVerdicts() {
	const rows = [];
	let isAllMet = true;

	function judge(what, value, unit, target, isMet) {
		isAllMet &&= isMet;
		rows.push([what, `${toFigure(value)}${unit}`, `${target}${unit}`, isMet ? "met" : "missed"]);
	}

	return {
		atMost: (what, value, unit, most) => judge(what, value, unit, `at most ${toFigure(most)}`, value <= most),
		atLeast: (what, value, unit, least) =>
			judge(what, value, unit, `at least ${toFigure(least)}`, value >= least),
		toTable: () => toTable(["", "figure", "target", ""], rows),
		isAllMet: () => isAllMet,
	};
}
