import type { StorageUsage, Usage, UsageCost, UsageRow } from "@stemma/client";
import { type Payer, sumCosts } from "@stemma/core";
import { formatBytes } from "@stemma/core/internal";
import { describePayer } from "../terminal/render/describe-payer";
import { formatCosts } from "../terminal/render/format-cost";
import { sanitizeText } from "../terminal/terminal";
import { formatTable } from "../terminal/text/table";

const HEADER = ["DAY", "WHO PAYS", "STAGE", "MODEL", "CALLS", "TOKENS IN", "OUT", "CACHED"];

/** A row a day, payer, stage and model, and what each payer was charged in all. */
export function formatUsage({ from, to, data, storage }: Usage): string {
	const stored = storage === undefined ? "" : formatStorage(storage);
	if (data.length === 0) return `No model was called from ${from} to ${to}.\n${stored}`;
	const sums = sumUsage(data);
	const hasCosts = data.some(({ costs }) => costs !== undefined);
	const toFigures = (sum: UsageSum): string[] => [
		...toNumbers(sum),
		...(hasCosts ? [describeCosts(sum)] : []),
	];
	const rows = [
		...data.map((row) => [row.day, describePayer(row.payer), row.stage, row.model, ...toFigures(row)]),
		...sums.map((sum) => ["in all", describePayer(sum.payer), "", "", ...toFigures(sum)]),
	];
	const header = hasCosts ? [...HEADER, "COST"] : HEADER;
	const table = formatTable([header, ...rows.map((row) => row.map(sanitizeText))]);
	return `${table}${note(sums)}${hasCosts ? noteUnpriced(sums) : ""}${stored}`;
}

/** A service before this version does not say what is stored. */
const formatStorage = ({ bytes, max_bytes, documents, max_documents, runs }: StorageUsage): string =>
	`Stored: ${formatBytes(bytes)} of ${formatBytes(max_bytes)}, ${toText(documents)} of ${toText(max_documents)} documents, ${toText(runs)} runs.\n`;

const toNumbers = (sum: UsageSum | UsageRow): string[] => {
	const about = sum.estimated_calls > 0 ? "~" : "";
	return [
		toText(sum.calls),
		`${about}${toText(sum.input_tokens)}`,
		`${about}${toText(sum.output_tokens)}`,
		toText(sum.cached_tokens),
	];
};

/** Cost of the calls that have a price; `*` where others have none. */
function describeCosts({ payer, calls, costs = [] }: UsageSum): string {
	if (payer === "none") return "";
	if (costs.length === 0) return "no price";
	return `${formatCosts(sumCosts(costs))}${countPriced(costs) < calls ? " *" : ""}`;
}

const countPriced = (costs: readonly UsageCost[]): number => costs.reduce((sum, { calls }) => sum + calls, 0);

function noteUnpriced(sums: readonly UsageSum[]): string {
	const unpriced = sums
		.filter(({ payer }) => payer !== "none")
		.reduce((sum, { calls, costs = [] }) => sum + calls - countPriced(costs), 0);
	return unpriced === 0 ? "" : `  * is without the calls that had no price: ${toText(unpriced)} in all.\n`;
}

const toText = (number: number): string => number.toLocaleString("en-US");

const note = (sums: readonly UsageSum[]): string =>
	sums.some(({ estimated_calls }) => estimated_calls > 0)
		? "  ~ includes estimates, for calls whose vendor reported no tokens.\n"
		: "";

type UsageSum = Pick<
	UsageRow,
	"payer" | "calls" | "input_tokens" | "output_tokens" | "cached_tokens" | "estimated_calls" | "costs"
>;

/** A sum for each payer there is, in the order in which they first occur. */
function sumUsage(rows: readonly UsageRow[]): UsageSum[] {
	const sums = new Map<Payer, UsageSum>();
	for (const row of rows) sums.set(row.payer, add(sums.get(row.payer), row));
	return [...sums.values()];
}

const add = (sum: UsageSum | undefined, row: UsageRow): UsageSum => ({
	payer: row.payer,
	calls: (sum?.calls ?? 0) + row.calls,
	input_tokens: (sum?.input_tokens ?? 0) + row.input_tokens,
	output_tokens: (sum?.output_tokens ?? 0) + row.output_tokens,
	cached_tokens: (sum?.cached_tokens ?? 0) + row.cached_tokens,
	estimated_calls: (sum?.estimated_calls ?? 0) + row.estimated_calls,
	costs: [...(sum?.costs ?? []), ...(row.costs ?? [])],
});
