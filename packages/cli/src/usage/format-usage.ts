import type { StorageUsage, Usage, UsageRow } from "@stemma/client";
import type { Payer } from "@stemma/core";
import { formatBytes } from "@stemma/core/internal";
import { describePayer } from "../terminal/render/describe-payer";
import { sanitizeText } from "../terminal/terminal";
import { formatTable } from "../terminal/text/table";

const HEADER = ["DAY", "WHO PAYS", "STAGE", "MODEL", "CALLS", "TOKENS IN", "OUT", "CACHED"];

/** A row a day, payer, stage and model, and what each payer was charged in all. */
export function formatUsage({ from, to, data, storage }: Usage): string {
	const stored = storage === undefined ? "" : formatStorage(storage);
	if (data.length === 0) return `No model was called from ${from} to ${to}.\n${stored}`;
	const sums = sumUsage(data);
	const rows = [
		...data.map((row) => [row.day, describePayer(row.payer), row.stage, row.model, ...toNumbers(row)]),
		...sums.map((sum) => ["in all", describePayer(sum.payer), "", "", ...toNumbers(sum)]),
	];
	const table = formatTable([HEADER, ...rows.map((row) => row.map(sanitizeText))]);
	return `${table}${note(sums)}${stored}`;
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

const toText = (number: number): string => number.toLocaleString("en-US");

const note = (sums: readonly UsageSum[]): string =>
	sums.some(({ estimated_calls }) => estimated_calls > 0)
		? "  ~ includes estimates, for calls whose vendor reported no tokens.\n"
		: "";

type UsageSum = Pick<
	UsageRow,
	"payer" | "calls" | "input_tokens" | "output_tokens" | "cached_tokens" | "estimated_calls"
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
});
