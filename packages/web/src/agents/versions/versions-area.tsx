import type { AgentVersionSummary, StoredAgent } from "@stemma/client";
import { visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../../data/app-context";
import { formatNumber } from "../../data/format";
import { useAction } from "../../data/use-action";
import { useResource } from "../../data/use-resource";
import { ConfirmDialog } from "../../shell/confirm-dialog";
import { ErrorNotice } from "../../shell/error-notice";
import { navigate, toHref } from "../../shell/route";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { STRINGS } from "../../strings/strings";
import { ComparedVersions } from "./compared-versions";
import { VersionTable } from "./version-table";

/** Versions of an agent that the service keeps: one page of a list has them all. */
const MAX_VERSIONS = 100;

interface VersionsAreaProps {
	/** Id or slug of the agent. */
	readonly id: string;
	/** Numbers of the versions to compare: of one, with the newest. Default: the two newest. */
	readonly compared: readonly number[];
}

/** Page of the versions of an agent: what changed, and back to one of them. */
export function VersionsArea({ id, compared }: VersionsAreaProps) {
	const words = AGENT_STRINGS.versions;
	const { stemma } = useApp();
	const read = useResource(`versions ${id}`, async (signal) => {
		const [agent, list] = await Promise.all([
			stemma.agents.get(id, { signal }),
			stemma.agents.versions.list(id, { limit: MAX_VERSIONS }, { signal }),
		]);
		return { agent, versions: list.data };
	});
	return (
		<div className="page agent">
			<a href={toHref("agents", id)}>← {words.back}</a>
			<ErrorNotice error={read.error} onRetry={() => void read.reload()} />
			{read.value === undefined && read.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{read.value && (
				<>
					<h1 dir="auto">
						{visibleText(read.value.agent.name ?? read.value.agent.slug)}: {words.title}
					</h1>
					<p className="faint">{words.lead}</p>
					<Versions {...read.value} compared={compared} onRestored={() => void read.reload()} />
				</>
			)}
		</div>
	);
}

interface VersionsProps {
	readonly agent: StoredAgent;
	readonly versions: readonly AgentVersionSummary[];
	readonly compared: readonly number[];
	readonly onRestored: () => void;
}

function Versions({ agent, versions, compared, onRestored }: VersionsProps) {
	const words = AGENT_STRINGS.versions;
	const { stemma } = useApp();
	const [asked, setAsked] = useState<number>();
	const [outcome, setOutcome] = useState<string>();
	const restore = useAction(async (number: number) => {
		setOutcome(undefined);
		const restored = await stemma.agents.versions.restore(agent.id, number, { version: agent.version });
		setOutcome(
			restored.version === agent.version
				? words.same(formatNumber(number))
				: words.done(formatNumber(number), formatNumber(restored.version)),
		);
		navigate(toHref("agents", agent.id, "versions"));
		onRestored();
	});
	const after = compared[1] ?? agent.version;
	const before = compared[0] ?? versions[1]?.number;
	return (
		<>
			<VersionTable agent={agent} versions={versions} isBusy={restore.isRunning} onRestore={setAsked} />
			{outcome !== undefined && <p role="status">{outcome}</p>}
			<ErrorNotice error={restore.error} onRetry={onRestored} />
			{before === undefined ? (
				<p>{words.onlyOne}</p>
			) : (
				<ComparedVersions agentId={agent.id} versions={versions} before={before} after={after} />
			)}
			{asked !== undefined && (
				<ConfirmDialog
					title={words.restoreTitle(formatNumber(asked))}
					action={words.restore}
					onConfirm={() => void restore.run(asked)}
					onClose={() => setAsked(undefined)}
				>
					{words.restoreText}
				</ConfirmDialog>
			)}
		</>
	);
}
