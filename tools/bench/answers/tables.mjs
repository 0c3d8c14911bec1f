import { toTable } from "../engine/table.mjs";
import { median } from "../service/quantile.mjs";

const share = (outcomes, isCounted) =>
	outcomes.length === 0 ? Number.NaN : outcomes.filter(isCounted).length / outcomes.length;
const percent = (value) => (Number.isNaN(value) ? "" : `${(value * 100).toFixed(1)} %`);

const HEADINGS = [
	"set",
	"answerable",
	"found",
	"quoted",
	"quoted first",
	"wrongly refused",
	"no quote, not marked",
	"characters",
	"unanswerable",
	"refused",
	"no quote, not marked",
	"changed quotes",
];

/** Table of the shares of each set, from its outcomes. */
export function toSharesTable(sets) {
	const rows = sets.map(({ name, isProse, outcomes }) => {
		const answerable = outcomes.filter(({ isAnswerable }) => isAnswerable);
		const others = outcomes.filter(({ isAnswerable }) => !isAnswerable);
		const isUnmarked = ({ quotes, isRefused }) => quotes === 0 && !isRefused;
		const ofText = (isCounted) => (isProse ? "" : percent(share(answerable, isCounted)));
		return [
			name,
			`${answerable.length}`,
			ofText(({ isFound }) => isFound),
			ofText(({ isQuoted }) => isQuoted),
			ofText(({ isFirst }) => isFirst),
			percent(share(answerable, ({ isRefused }) => isRefused)),
			percent(share(answerable, isUnmarked)),
			`${median(answerable.filter(({ quotes }) => quotes > 0).map(({ characters }) => characters)) ?? ""}`,
			`${others.length}`,
			percent(share(others, ({ isRefused }) => isRefused)),
			percent(share(others, isUnmarked)),
			`${outcomes.reduce((sum, { changed }) => sum + changed, 0)}`,
		];
	});
	return toTable(HEADINGS, rows);
}

const STEPS = 20;

/** Thresholds: shares from 0 to 1, or where scores are no shares, quantiles of what was seen. */
function listThresholds(outcomes) {
	const scores = outcomes.map(({ score }) => score).sort((a, b) => a - b);
	if (scores.at(-1) <= 1) return Array.from({ length: STEPS }, (_, step) => step / STEPS);
	return Array.from({ length: STEPS }, (_, step) => scores[Math.floor((step * scores.length) / STEPS)]);
}

/** Shares of one set if everything with a score below a threshold were refused. */
export function toCurveTable({ isProse, outcomes }) {
	const answerable = outcomes.filter(({ isAnswerable }) => isAnswerable);
	const others = outcomes.filter(({ isAnswerable }) => !isAnswerable);
	const rows = listThresholds(outcomes).map((threshold) => {
		const isRefused = ({ score, isRefused }) => isRefused || score < threshold;
		return [
			threshold.toFixed(3),
			isProse ? "" : percent(share(answerable, (outcome) => outcome.isQuoted && outcome.score >= threshold)),
			percent(share(answerable, isRefused)),
			percent(share(others, isRefused)),
		];
	});
	return toTable(["threshold", "quoted", "wrongly refused", "refused"], rows);
}

/** Lines of what went wrong: answers that miss what was expected, and answers where there is none. */
export function listFailures(outcomes) {
	return outcomes
		.filter((outcome) => outcome.isAnswerable !== outcome.isQuoted || outcome.changed > 0)
		.map(({ asked, answer, isAnswerable, isFound, score, changed }) => {
			const what = isAnswerable ? `expected ${asked.answers.join(" | ")}` : "has no answer";
			const marks = `${isFound ? "found, " : ""}${changed > 0 ? "changed, " : ""}${score.toFixed(3)}`;
			return `- ${asked.id} (${marks}) ${asked.question}\n  ${what}\n  ${answer.answer.replaceAll("\n", "\n  ")}`;
		})
		.join("\n");
}
