import { type AgentVersionSummary, type StoredAgent, visibleText } from "@stemma/client";
import { useApp, useScope } from "../../data/app-context";
import { formatNumber, formatTime } from "../../data/format";
import { useResource } from "../../data/use-resource";
import { type ActorNames, readActorNames } from "../../settings/actor-names";
import { toHref } from "../../shell/route";
import { AGENT_STRINGS } from "../../strings/agent-strings";

interface VersionTableProps {
	readonly agent: StoredAgent;
	readonly versions: readonly AgentVersionSummary[];
	readonly isBusy: boolean;
	readonly onRestore: (number: number) => void;
}

/** Versions of an agent, the newest first, each with who stored it and why. */
export function VersionTable({ agent, versions, isBusy, onRestore }: VersionTableProps) {
	const words = AGENT_STRINGS.versions;
	const toAuthor = useAuthors();
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
		<section className="panel table-scroll" tabIndex={0} aria-label={words.title}>
			<table className="figures versions">
				<thead>
					<tr>
						<th scope="col">{words.number}</th>
						<th scope="col">{words.stored}</th>
						<th scope="col">{words.by}</th>
						<th scope="col">{words.note}</th>
						<td />
					</tr>
				</thead>
				<tbody>
					{versions.map(({ number, created_at, created_by, note, restored_from }) => (
						<tr key={number}>
							<th scope="row">{formatNumber(number)}</th>
							<td>{formatTime(created_at)}</td>
							<td dir="auto">{toAuthor(created_by)}</td>
							<td dir="auto">
								{restored_from !== null && <em>{words.restored(formatNumber(restored_from))} </em>}
								{note !== null && visibleText(note)}
							</td>
							<td>
								{number === agent.version ? (
									words.newest
								) : (
									<div className="row">
										<a
											href={toHref("agents", agent.id, "versions", String(number))}
											aria-label={words.compareWith(formatNumber(number))}
										>
											{words.compare}
										</a>
										<button
											type="button"
											disabled={isBusy}
											aria-label={words.restoreVersion(formatNumber(number))}
											onClick={() => onRestore(number)}
										>
											{words.restore}
										</button>
									</div>
								)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

const NO_NAMES: ActorNames = new Map();

/** Names of authors, for those who may see the members and clients; ids for others. */
function useAuthors(): (id: string | null) => string {
	const words = AGENT_STRINGS.versions;
	const { stemma, session } = useApp();
	const maySeeNames = useScope("keys:write");
	const names = useResource("authors of versions", async (signal) =>
		maySeeNames ? readActorNames(stemma, signal) : NO_NAMES,
	);
	return (id) => {
		if (id === null) return words.unknown;
		return id === session.user.id ? words.you : visibleText(names.value?.get(id) ?? id);
	};
}
