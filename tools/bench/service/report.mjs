import { toTable } from "../engine/table.mjs";

const number = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });

/** Numbers, beside their targets where they have one. */
export function createReport() {
	const rows = [];

	function report(what, value, unit, target, isMet) {
		const verdict = isMet === undefined ? "" : isMet ? "met" : "missed";
		rows.push([what, `${number(value)} ${unit}`, target ?? "", verdict]);
	}

	return {
		number,
		report: (what, value, unit) => report(what, value, unit),
		atMost: (what, value, unit, max) => report(what, value, unit, `at most ${number(max)}`, value <= max),
		atLeast: (what, value, unit, min) => report(what, value, unit, `at least ${number(min)}`, value >= min),
		exactly: (what, value, unit, wanted) => report(what, value, unit, `${number(wanted)}`, value === wanted),
		toTable: () => toTable(["", "figure", "target", ""], rows),
	};
}
