import { type Usage, type UsageRow, visibleText } from "@stemma/client";
import { useState } from "react";
import { ADMIN_STRINGS } from "../data/admin-strings";
import { useApp } from "../data/app-context";
import { saveCsv, toCsv } from "../data/csv";
import { formatNumber } from "../data/format";
import { STRINGS } from "../data/strings";
import { useResource } from "../data/use-resource";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { StoragePanel } from "./storage-panel";
import { UsageChart } from "./usage-chart";
import { UsageFilters, type UsageView } from "./usage-filters";
import { toDay, toUsageTable, type UsageSeries } from "./usage-series";
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
	const { from, to } = view;
	const resource = useResource(`usage ${from} ${to}`, (signal) => stemma.usage({ from, to }, { signal }));
	const { value, error, isLoading, reload } = resource;
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			<UsageFilters
				view={view}
				onChange={setView}
				onSave={value && (() => saveCsv(`usage-${value.from}-${value.to}.csv`, toUsageCsv(value.data)))}
			/>
			<ErrorNotice error={error} onRetry={() => void reload()} />
			{value === undefined && isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value && <UsageFigures usage={value} view={view} />}
			{value && <StoragePanel storage={value.storage} />}
		</div>
	);
}

function UsageFigures({ usage, view }: { readonly usage: Usage; readonly view: UsageView }) {
	const words = ADMIN_STRINGS.usage;
	const { measure, dimension } = view;
	const table = toUsageTable(usage, dimension, measure);
	if (table.series.length === 0)
		return (
			<section className="panel">
				<EmptyState title={words.none}>
					<p>{words.noneHint}</p>
				</EmptyState>
			</section>
		);
	const names = table.series.map(toName);
	const estimated = usage.data.reduce((sum, row) => sum + row.estimated_calls, 0);
	const label = words.chart(
		words.measures[measure],
		words.dimensions[dimension].toLowerCase(),
		formatNumber(table.total),
	);
	return (
		<>
			<section className="panel" aria-label={words.summary}>
				<UsageChart table={table} names={names} label={label} />
				<SummaryTable table={table} names={names} measure={measure} dimension={dimension} />
				{estimated > 0 && <p className="small">{words.estimated(formatNumber(estimated))}</p>}
			</section>
			<div className="panel">
				<h2>{words.table}</h2>
				<DayTable table={table} names={names} />
			</div>
		</>
	);
}

const toName = ({ name }: UsageSeries): string =>
	name === undefined ? ADMIN_STRINGS.usage.other : visibleText(name);

const toUsageCsv = (rows: readonly UsageRow[]): string => {
	const { columns } = ADMIN_STRINGS.usage;
	return toCsv(
		columns,
		rows.map((row) => columns.map((column) => row[column])),
	);
};
