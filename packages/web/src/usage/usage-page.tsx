import { type Usage, type UsageRow, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { saveCsv, toCsv } from "../data/csv";
import { formatCompact, formatNumber } from "../data/format";
import { useResource } from "../data/use-resource";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { STRINGS } from "../strings/strings";
import { StoragePanel } from "./storage-panel";
import { UsageChart } from "./usage-chart";
import { describeMeasure, UsageFilters, type UsageView } from "./usage-filters";
import { countUnpriced, listCurrencies, NO_PERSON, toDay, toFormat, toUsageTable } from "./usage-series";
import { DayTable, SummaryTable } from "./usage-tables";
import "./usage.css";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Page of the usage of a workspace: a chart, the same as tables, and what is stored. */
export function UsagePage() {
	const words = ADMIN_STRINGS.usage;
	const { stemma } = useApp();
	const [view, setView] = useState<UsageView>(() => ({
		...{ from: toDay(Date.now() - (DEFAULT_DAYS - 1) * DAY_MS), to: toDay(Date.now()) },
		...{ measure: "tokens", dimension: "stage" },
	}));
	const { from, to, dimension } = view;
	const isByUser = dimension === "user";
	const query = { from, to, ...(isByUser && { group_by: "user" as const }) };
	const resource = useResource(`usage ${from} ${to} ${isByUser}`, (signal) =>
		stemma.usage(query, { signal }),
	);
	const { value, error, isLoading, reload } = resource;
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			<UsageFilters
				view={view}
				currencies={listCurrencies(value?.data ?? [])}
				onChange={setView}
				onSave={value && (() => saveCsv(`usage-${value.from}-${value.to}.csv`, toUsageCsv(value.data)))}
			/>
			<ErrorNotice error={error} onRetry={() => void reload()} />
			{value === undefined && isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value && !isByUser && <UsageFigures usage={value} view={view} toName={toGroupName} />}
			{value && isByUser && <UsageByUser usage={value} view={view} />}
			{value && <StoragePanel storage={value.storage} />}
		</div>
	);
}

interface UsageFiguresProps {
	readonly usage: Usage;
	readonly view: UsageView;
	/** Words for a group that has a name of its own. */
	readonly toName: (group: string) => string;
}

/** Figures by person, who are called by their names; removed ones, too. */
function UsageByUser({ usage, view }: Omit<UsageFiguresProps, "toName">) {
	const { stemma } = useApp();
	const people = useResource("usage people", async (signal) => {
		const names = new Map<string, string>([[NO_PERSON, ADMIN_STRINGS.usage.noPerson]]);
		for (const status of ["active", "removed"] as const)
			for await (const { id, name, email } of stemma.members.list({ status }, { signal }))
				names.set(id, name === "" ? email : `${name} (${email})`);
		return names;
	});
	const names = people.value;
	return (
		<>
			<ErrorNotice error={people.error} onRetry={() => void people.reload()} />
			{/* Who was deleted with their data has an id and no name. */}
			<UsageFigures {...{ usage, view }} toName={(group) => toGroupName(names?.get(group) ?? group)} />
		</>
	);
}

/** Chart and tables of the calls. */
function UsageFigures({ usage, view, toName }: UsageFiguresProps) {
	const words = ADMIN_STRINGS.usage;
	const { measure, dimension } = view;
	const table = toUsageTable(usage, dimension, measure);
	if (table.series.length === 0)
		return (
			<section className="panel">
				<EmptyState title={usage.data.length === 0 ? words.none : words.noTokens}>
					<p>{usage.data.length === 0 ? words.noneHint : words.noTokensHint}</p>
				</EmptyState>
			</section>
		);
	const names = table.series.map(({ name }) => (name === undefined ? words.other : toName(name)));
	const estimated = usage.data.reduce((sum, row) => sum + row.estimated_calls, 0);
	const format = toFormat(measure);
	const isMoney = measure !== "tokens" && measure !== "calls";
	const unpriced = countUnpriced(usage.data);
	const label = words.chart(
		describeMeasure(measure),
		words.dimensions[dimension].toLowerCase(),
		format(table.total),
	);
	return (
		<>
			<section className="panel" aria-label={words.summary}>
				<UsageChart
					table={table}
					names={names}
					label={label}
					format={format}
					formatAxis={isMoney ? (value) => formatCompact(value / 1e9) : formatCompact}
				/>
				<SummaryTable
					table={table}
					names={names}
					format={format}
					measure={describeMeasure(measure)}
					dimension={dimension}
				/>
				{isMoney && (
					<p className="small">
						{words.stated} {unpriced > 0 && words.unpriced(formatNumber(unpriced))}
					</p>
				)}
				{estimated > 0 && <p className="small">{words.estimated(formatNumber(estimated))}</p>}
			</section>
			<div className="panel">
				<h2>{words.table}</h2>
				<DayTable table={table} names={names} format={format} />
			</div>
		</>
	);
}

const toGroupName = (group: string): string => visibleText(group);

/** Rows as CSV, with the cost in each currency and the number of calls that have one. */
function toUsageCsv(rows: readonly UsageRow[]): string {
	const { columns } = ADMIN_STRINGS.usage;
	const currencies = listCurrencies(rows);
	return toCsv(
		[...columns, ...currencies.flatMap((currency) => [`cost_${currency}`, `priced_calls_${currency}`])],
		rows.map((row) => [
			...columns.map((column) => row[column] ?? ""),
			...currencies.flatMap((currency) => {
				const cost = row.costs?.find((one) => one.currency === currency);
				return cost === undefined ? ["", 0] : [cost.amount, cost.calls];
			}),
		]),
	);
}
