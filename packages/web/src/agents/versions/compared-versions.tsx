import type { AgentVersionSummary } from "@stemma/client";
import { compareAgents } from "@stemma/core";
import { lazy, Suspense, useId, useMemo } from "react";
import { useApp } from "../../data/app-context";
import { formatNumber } from "../../data/format";
import { useResource } from "../../data/use-resource";
import { ErrorNotice } from "../../shell/error-notice";
import { navigate, toHref } from "../../shell/route";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { STRINGS } from "../../strings/strings";
import { ChangesInWords } from "./changes-in-words";

const JsonLines = lazy(async () => ({ default: (await import("./json-lines")).JsonLines }));

interface ComparedVersionsProps {
	readonly agentId: string;
	readonly versions: readonly AgentVersionSummary[];
	readonly before: number;
	readonly after: number;
}

/** Differences of two versions of an agent: in words, and as lines of JSON. */
export function ComparedVersions({ agentId, versions, before, after }: ComparedVersionsProps) {
	const words = AGENT_STRINGS.versions;
	const { stemma } = useApp();
	const graphs = useResource(`versions ${agentId} ${before} ${after}`, async (signal) => {
		const read = async (number: number) =>
			(await stemma.agents.versions.get(agentId, number, { signal })).graph;
		return Promise.all([read(before), read(after)]);
	});
	const show = (from: number, to: number) =>
		navigate(toHref("agents", agentId, "versions", String(from), String(to)));
	const numbers = versions.map(({ number }) => number);
	const comparison = useMemo(() => graphs.value && compareAgents(...graphs.value), [graphs.value]);
	return (
		<section className="panel" aria-label={words.changes}>
			<h2>{words.changes}</h2>
			<div className="row">
				<VersionSelect
					label={words.before}
					numbers={numbers}
					value={before}
					onChange={(number) => show(number, after)}
				/>
				<VersionSelect
					label={words.after}
					numbers={numbers}
					value={after}
					onChange={(number) => show(before, number)}
				/>
			</div>
			<ErrorNotice error={graphs.error} onRetry={() => void graphs.reload()} />
			{graphs.value === undefined && graphs.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{comparison && <ChangesInWords comparison={comparison} />}
			{graphs.value && (
				<Suspense fallback={<p>{STRINGS.app.loading}</p>}>
					<JsonLines before={graphs.value[0]} after={graphs.value[1]} />
				</Suspense>
			)}
		</section>
	);
}

interface VersionSelectProps {
	readonly label: string;
	readonly numbers: readonly number[];
	readonly value: number;
	readonly onChange: (number: number) => void;
}

function VersionSelect({ label, numbers, value, onChange }: VersionSelectProps) {
	const id = useId();
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			<select id={id} value={value} onChange={(event) => onChange(Number(event.target.value))}>
				{/* A run may name one that is no longer kept. */}
				{!numbers.includes(value) && <option value={value}>{formatNumber(value)}</option>}
				{numbers.map((number) => (
					<option key={number} value={number}>
						{formatNumber(number)}
					</option>
				))}
			</select>
		</div>
	);
}
