import { toTable } from "../engine/table.mjs";
import { formatNumber } from "./format-number.mjs";

/** Numbers beside their targets. */
export function createVerdicts() {
	const rows = [];
	let isAllMet = true;

	function judge(what, value, unit, target, isMet) {
		isAllMet &&= isMet;
		rows.push([what, `${formatNumber(value)}${unit}`, `${target}${unit}`, isMet ? "met" : "missed"]);
	}

	return {
		atMost: (what, value, unit, max) =>
			judge(what, value, unit, `at most ${formatNumber(max)}`, value <= max),
		atLeast: (what, value, unit, min) =>
			judge(what, value, unit, `at least ${formatNumber(min)}`, value >= min),
		toTable: () => toTable(["", "figure", "target", ""], rows),
		isAllMet: () => isAllMet,
	};
}
