import { ADMIN_STRINGS } from "../data/admin-strings";
import { formatDay, formatNumber, formatPercent } from "../data/format";
import { OTHERS, type UsageDimension, type UsageMeasure, type UsageTable } from "./usage-series";

interface TableProps {
	readonly table: UsageTable;
	/** Names of the series, in their order. */
	readonly names: readonly string[];
}

interface SummaryTableProps extends TableProps {
	readonly measure: UsageMeasure;
	readonly dimension: UsageDimension;
}

/** Sum of each group, with its colour in the chart. */
export function SummaryTable({ table, names, measure, dimension }: SummaryTableProps) {
	const words = ADMIN_STRINGS.usage;
	return (
		<table className="figures summary">
			<thead>
				<tr>
					<th scope="col">{words.dimensions[dimension]}</th>
					<th scope="col">{words.measures[measure]}</th>
					<th scope="col">{words.share}</th>
				</tr>
			</thead>
			<tbody>
				{table.series.map(({ name, total }, index) => (
					<tr key={name ?? OTHERS}>
						<th scope="row" dir="auto">
							<span className="swatch" data-series={index} aria-hidden="true" />
							{names[index]}
						</th>
						<td>{formatNumber(total)}</td>
						<td>{formatPercent(total / table.total)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** Figures of each day with a call, the newest first. */
export function DayTable({ table, names }: TableProps) {
	const words = ADMIN_STRINGS.usage;
	const rows = table.days
		.map((day, index) => ({ day, values: table.series.map(({ values }) => values[index] ?? 0) }))
		.filter(({ values }) => values.some((value) => value > 0))
		.reverse();
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
		<section className="table-scroll" tabIndex={0} aria-label={words.table}>
			<table className="figures">
				<thead>
					<tr>
						<th scope="col">{words.day}</th>
						{table.series.map(({ name }, index) => (
							<th key={name ?? OTHERS} scope="col" dir="auto">
								{names[index]}
							</th>
						))}
						<th scope="col">{words.total}</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(({ day, values }) => (
						<tr key={day}>
							<th scope="row">{formatDay(day)}</th>
							{values.map((value, index) => (
								<td key={table.series[index]?.name ?? OTHERS}>{formatNumber(value)}</td>
							))}
							<td>{formatNumber(values.reduce((sum, value) => sum + value, 0))}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
