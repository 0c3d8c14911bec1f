import { toTable } from "../engine/table.mjs";

const figure = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });

/** Figures, beside their targets where they have one. */
export function createReport() {
	const rows = [];

	function report(what, value, unit, target, isMet) {
		const verdict = isMet === undefined ? "" : isMet ? "met" : "missed";
		rows.push([what, `${figure(value)} ${unit}`, target ?? "", verdict]);
	}

	return {
		figure,
		report: (what, value, unit) => report(what, value, unit),
		atMost: (what, value, unit, most) => report(what, value, unit, `at most ${figure(most)}`, value <= most),
		atLeast: (what, value, unit, least) =>
			report(what, value, unit, `at least ${figure(least)}`, value >= least),
		exactly: (what, value, unit, wanted) => report(what, value, unit, `${figure(wanted)}`, value === wanted),
		toTable: () => toTable(["", "figure", "target", ""], rows),
	};
}
