import { visibleText } from "@stemma/client";
import { formatNumber } from "../../data/format";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import type { DraftIssue } from "./check-draft";

/** A list has no more entries; the places of all are marked. */
const MAX_LISTED = 50;

interface IssueListProps {
	readonly issues: readonly DraftIssue[];
	readonly onSelect: (issue: DraftIssue) => void;
}

/** Problems of a draft, each of which leads to its place. */
export function IssueList({ issues, onSelect }: IssueListProps) {
	const words = AGENT_STRINGS;
	if (issues.length === 0)
		return (
			<p className="small good-text" role="status">
				{words.noIssues}
			</p>
		);
	return (
		<div className="notice bad">
			<strong role="status">{words.issues(formatNumber(issues.length))}</strong>
			<ul className="issues">
				{issues.slice(0, MAX_LISTED).map((issue, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the same issue may be there twice.
					<li key={index}>
						<button
							type="button"
							className="link"
							aria-label={words.goTo(issue.place)}
							onClick={() => onSelect(issue)}
						>
							<code>{visibleText(issue.place)}</code>
						</button>{" "}
						{visibleText(issue.message)}
					</li>
				))}
			</ul>
		</div>
	);
}
