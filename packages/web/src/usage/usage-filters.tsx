import { useId } from "react";
import { ADMIN_STRINGS } from "../data/admin-strings";
import { Field } from "../shell/field";
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
	readonly onChange: (view: UsageView) => void;
	/** `undefined` while there is nothing to save. */
	readonly onSave: (() => void) | undefined;
}

const MEASURES = ["tokens", "calls"] as const;
const DIMENSIONS = ["stage", "payer", "model"] as const;

/** Days, figures and groups to choose, and the file. */
export function UsageFilters({ view, onChange, onSave }: UsageFiltersProps) {
	const words = ADMIN_STRINGS.usage;
	const id = useId();
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
			<Field label={words.measure} htmlFor={`${id}-measure`}>
				<select
					id={`${id}-measure`}
					value={view.measure}
					onChange={(event) =>
						onChange({ ...view, measure: MEASURES.find((one) => one === event.target.value) ?? "tokens" })
					}
				>
					{MEASURES.map((one) => (
						<option key={one} value={one}>
							{words.measures[one]}
						</option>
					))}
				</select>
			</Field>
			<Field label={words.by} htmlFor={`${id}-by`}>
				<select
					id={`${id}-by`}
					value={view.dimension}
					onChange={(event) =>
						onChange({ ...view, dimension: DIMENSIONS.find((one) => one === event.target.value) ?? "stage" })
					}
				>
					{DIMENSIONS.map((one) => (
						<option key={one} value={one}>
							{words.dimensions[one]}
						</option>
					))}
				</select>
			</Field>
			<button type="button" disabled={onSave === undefined} onClick={onSave}>
				{words.csv}
			</button>
		</div>
	);
}
