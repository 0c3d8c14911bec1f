import { useId } from "react";
import { Field } from "../shell/field";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { toDay, type UsageDimension, type UsageMeasure } from "./usage-series";

/** Choices of the page. */
export interface UsageView {
	/** Days, both included, as `2026-01-31` (UTC). */
	readonly from: string;
	readonly to: string;
	readonly measure: UsageMeasure;
	readonly dimension: UsageDimension;
}

interface UsageFiltersProps {
	readonly view: UsageView;
	/** Currencies of the costs that there are. */
	readonly currencies: readonly string[];
	readonly onChange: (view: UsageView) => void;
	/** `undefined` while there is nothing to save. */
	readonly onSave: (() => void) | undefined;
}

const DIMENSIONS = ["stage", "payer", "model", "user"] as const;

/** Days, figures and groups to choose, and the file. */
export function UsageFilters({ view, currencies, onChange, onSave }: UsageFiltersProps) {
	const words = ADMIN_STRINGS.usage;
	const id = useId();
	const measures = listMeasures(currencies, view.measure);
	/** Takes another day where one is written, and the other with it where they would be in the wrong order. */
	const changeDays = ({ from = view.from, to = view.to }: Partial<Pick<UsageView, "from" | "to">>) => {
		if (from === "" || to === "") return;
		const isMoved = from > to;
		onChange({
			...view,
			from: isMoved && to !== view.to ? to : from,
			to: isMoved && from !== view.from ? from : to,
		});
	};
	return (
		<div className="filters">
			<Field label={words.from} htmlFor={`${id}-from`}>
				<input
					id={`${id}-from`}
					type="date"
					required
					max={toDay(Date.now())}
					value={view.from}
					onChange={(event) => changeDays({ from: event.target.value })}
				/>
			</Field>
			<Field label={words.to} htmlFor={`${id}-to`}>
				<input
					id={`${id}-to`}
					type="date"
					required
					max={toDay(Date.now())}
					value={view.to}
					onChange={(event) => changeDays({ to: event.target.value })}
				/>
			</Field>
			<ChoiceField
				label={words.measure}
				choices={Object.fromEntries(measures.map((measure) => [measure, describeMeasure(measure)]))}
				value={view.measure}
				onChange={(value) =>
					onChange({ ...view, measure: measures.find((one) => one === value) ?? view.measure })
				}
			/>
			<ChoiceField
				label={words.by}
				choices={words.dimensions}
				value={view.dimension}
				onChange={(value) =>
					onChange({ ...view, dimension: DIMENSIONS.find((one) => one === value) ?? view.dimension })
				}
			/>
			<button type="button" disabled={onSave === undefined} onClick={onSave}>
				{words.csv}
			</button>
		</div>
	);
}

/** Measures to choose: money where there are costs, or it is what is shown. */
function listMeasures(currencies: readonly string[], shown: UsageMeasure): readonly UsageMeasure[] {
	const costs = currencies.map((currency): UsageMeasure => `cost ${currency}`);
	return [...new Set<UsageMeasure>(["tokens", "calls", ...costs, shown])];
}

export const describeMeasure = (measure: UsageMeasure): string => {
	const words = ADMIN_STRINGS.usage;
	return measure === "tokens" || measure === "calls"
		? words.measures[measure]
		: words.cost(measure.slice("cost ".length));
};

interface ChoiceFieldProps {
	readonly label: string;
	/** Names of the values, by the values. */
	readonly choices: Readonly<Record<string, string>>;
	readonly value: string;
	readonly onChange: (value: string) => void;
}

function ChoiceField({ label, choices, value, onChange }: ChoiceFieldProps) {
	const id = useId();
	return (
		<Field label={label} htmlFor={id}>
			<select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
				{Object.entries(choices).map(([one, name]) => (
					<option key={one} value={one}>
						{name}
					</option>
				))}
			</select>
		</Field>
	);
}
