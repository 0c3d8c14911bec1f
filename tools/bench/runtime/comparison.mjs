import { toTable } from "../engine/table.mjs";
import { formatNumber, toTimes } from "../routing/format-number.mjs";

/** Our numbers beside those of peers, as ratios that are better the larger they are, and beside their targets. */
export function createComparison() {
	const rows = [];
	let isAllMet = true;

	function toVerdict(isMet) {
		if (isMet === undefined) return "";
		isAllMet &&= isMet;
		return isMet ? "met" : "missed";
	}

	return {
		/**
		 * @param target - what our number may be at most; none for what is only told.
		 * @param peers - each with the ratio of ours to its own that is allowed at most, where one is; `ratio` is what it is, where
		 * it is not that of the two numbers.
		 */
		atMost(what, value, unit, target, peers = []) {
			const verdict = toVerdict(target === undefined ? undefined : value <= target);
			const goal = target === undefined ? "" : `at most ${formatNumber(target)} ${unit}`;
			rows.push([what, `${formatNumber(value)} ${unit}`, "", "", "", goal, verdict]);
			for (const { name, value: other, ratio = value / other, times } of peers) {
				const verdict = toVerdict(times === undefined ? undefined : ratio <= times);
				const goal = times === undefined ? "" : `at most ${times}x`;
				rows.push(["", "", name, `${formatNumber(other)} ${unit}`, toTimes(ratio), goal, verdict]);
			}
		},
		/** @param peers - each with the ratio of ours to its own that is wanted at least, where one is; `ratio` as above. */
		against(what, value, unit, peers) {
			rows.push([what, `${formatNumber(value)} ${unit}`, "", "", "", "", ""]);
			for (const { name, value: other, ratio = value / other, times } of peers) {
				const verdict = toVerdict(times === undefined ? undefined : ratio >= times);
				const goal = times === undefined ? "" : `at least ${times}x`;
				rows.push(["", "", name, `${formatNumber(other)} ${unit}`, toTimes(ratio), goal, verdict]);
			}
		},
		toTable: () => toTable(["", "Stemma", "peer", "peer's", "ours / peer's", "target", ""], rows),
		isAllMet: () => isAllMet,
	};
}
