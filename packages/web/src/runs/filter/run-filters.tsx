import { type StoredAgentSummary, visibleText } from "@stemma/client";
import { useId } from "react";
import { RUN_STRINGS } from "../../strings/run-strings";
import { NO_FILTER, parseRunFilter, RUN_STATUSES, type RunFilter } from "./run-filter";

interface RunFiltersProps {
	readonly filter: RunFilter;
	readonly agents: readonly StoredAgentSummary[];
	readonly onChange: (filter: RunFilter) => void;
}

/** Filters of the list of runs. */
export function RunFilters({ filter, agents, onChange }: RunFiltersProps) {
	const words = RUN_STRINGS;
	const agentId = useId();
	const statusId = useId();
	const isFiltered = Object.values(filter).some((value) => value !== "");
	const change = (changes: Partial<Record<keyof RunFilter, string>>) =>
		onChange(parseRunFilter({ ...filter, ...changes }));
	return (
		<section className="panel run-filters" aria-label={words.filters}>
			<div className="field">
				<label htmlFor={agentId}>{words.agent}</label>
				<select id={agentId} value={filter.agent} onChange={(event) => change({ agent: event.target.value })}>
					<option value="">{words.allAgents}</option>
					{agents.map(({ id, slug, name }) => (
						<option key={id} value={id}>
							{visibleText(name ?? slug)}
						</option>
					))}
				</select>
			</div>
			<div className="field">
				<label htmlFor={statusId}>{words.status}</label>
				<select
					id={statusId}
					value={filter.status}
					onChange={(event) => change({ status: event.target.value })}
				>
					<option value="">{words.allStatuses}</option>
					{RUN_STATUSES.map((status) => (
						<option key={status} value={status}>
							{words.statuses[status]}
						</option>
					))}
				</select>
			</div>
			<DayField label={words.since} day={filter.since} onChange={(since) => change({ since })} />
			<DayField label={words.until} day={filter.until} onChange={(until) => change({ until })} />
			{isFiltered && (
				<button type="button" onClick={() => onChange(NO_FILTER)}>
					{words.clearFilters}
				</button>
			)}
		</section>
	);
}

interface DayFieldProps {
	readonly label: string;
	readonly day: string;
	readonly onChange: (day: string) => void;
}

function DayField({ label, day, onChange }: DayFieldProps) {
	const id = useId();
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			<input id={id} type="date" value={day} onChange={(event) => onChange(event.target.value)} />
		</div>
	);
}
