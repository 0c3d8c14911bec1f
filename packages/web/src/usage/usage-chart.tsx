import { formatDay } from "../data/format";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { OTHERS, toAxisEnd, type UsageTable } from "./usage-series";

interface UsageChartProps {
	readonly table: UsageTable;
	/** Names of the series, in their order. */
	readonly names: readonly string[];
	/** Sentence that says what the chart shows. */
	readonly label: string;
	readonly formatAxis: (value: number) => string;
	readonly format: (value: number) => string;
}

const WIDTH = 800;
const HEIGHT = 260;
const AXIS_WIDTH = 56;
const AXIS_HEIGHT = 26;
const TOP = 10;
const LINES = 4;
/** Days that are written below the bars. */
const MAX_DAYS_WRITTEN = 7;

/** Stacked bars, one for each day. The table beside it has the same figures for whoever cannot see them. */
export function UsageChart({ table, names, label, format, formatAxis }: UsageChartProps) {
	const { days, series } = table;
	const end = toAxisEnd(Math.max(...days.map((_, day) => toHeight(table, day, series.length))));
	const step = (WIDTH - AXIS_WIDTH) / Math.max(1, days.length);
	const toY = (value: number) => TOP + (HEIGHT - TOP - AXIS_HEIGHT) * (1 - value / end);
	const barWidth = Math.min(40, step * (step > 6 ? 0.72 : 1));
	return (
		<svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
			<Axis end={end} toY={toY} format={formatAxis} />
			{days.map((day, index) => (
				<g key={day}>
					{series.map((one, place) => {
						const value = one.values[index] ?? 0;
						const below = toHeight(table, index, place);
						return (
							value > 0 && (
								<rect
									key={one.name ?? OTHERS}
									data-series={place}
									x={AXIS_WIDTH + index * step + (step - barWidth) / 2}
									y={toY(below + value)}
									width={barWidth}
									height={Math.max(1, toY(below) - toY(below + value))}
								>
									<title>{ADMIN_STRINGS.usage.bar(formatDay(day), names[place] ?? "", format(value))}</title>
								</rect>
							)
						);
					})}
				</g>
			))}
			<Days days={days} step={step} />
		</svg>
	);
}

/** Sum of the first series of a day: where the next one begins. */
const toHeight = ({ series }: UsageTable, day: number, count: number): number =>
	series.slice(0, count).reduce((sum, { values }) => sum + (values[day] ?? 0), 0);

interface AxisProps {
	readonly end: number;
	readonly toY: (value: number) => number;
	readonly format: (value: number) => string;
}

function Axis({ end, toY, format }: AxisProps) {
	const marks = Array.from({ length: LINES + 1 }, (_, index) => (end * index) / LINES);
	return (
		<g className="axis">
			{marks.map((value) => (
				<g key={value}>
					<line x1={AXIS_WIDTH} x2={WIDTH} y1={toY(value)} y2={toY(value)} />
					<text x={AXIS_WIDTH - 8} y={toY(value) + 4} textAnchor="end">
						{format(value)}
					</text>
				</g>
			))}
		</g>
	);
}

function Days({ days, step }: { readonly days: readonly string[]; readonly step: number }) {
	const every = Math.ceil(days.length / MAX_DAYS_WRITTEN);
	return (
		<g className="axis">
			{days.map(
				(day, index) =>
					index % every === 0 && (
						<text key={day} x={AXIS_WIDTH + (index + 0.5) * step} y={HEIGHT - 6} textAnchor="middle">
							{formatDay(day)}
						</text>
					),
			)}
		</g>
	);
}
