import { formatDay, formatPercent } from "../data/format";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { OTHERS, type UsageDimension, type UsageTable } from "./usage-series";

interface TableProps {
	readonly table: UsageTable;
	/** Names of the series, in their order. */
	readonly names: readonly string[];
	readonly format: (value: number) => string;
}

interface SummaryTableProps extends TableProps {
	/** Words for the measure. */
	readonly measure: string;
	readonly dimension: UsageDimension;
}

/** Sum of each group, with its colour in the chart. */
export function SummaryTable({ table, names, format, measure, dimension }: SummaryTableProps) {
	const words = ADMIN_STRINGS.usage;
	return (
		<table className="figures summary">
			<thead>
				<tr>
					<th scope="col">{words.dimensions[dimension]}</th>
					<th scope="col">{measure}</th>
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
						<td>{format(total)}</td>
						<td>{formatPercent(total / table.total)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** Figures of each day with a call, the newest first. */
export function DayTable({ table, names, format }: TableProps) {
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
								<td key={table.series[index]?.name ?? OTHERS}>{format(value)}</td>
							))}
							<td>{format(values.reduce((sum, value) => sum + value, 0))}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
