import { visibleText } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { useMemo } from "react";
import { formatNumber } from "../../data/format";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { compareLines } from "./compare-lines";

const MARKS = { same: " ", added: "+", removed: "-" } as const;

interface JsonLinesProps {
	readonly before: AgentGraph;
	readonly after: AgentGraph;
}

/** Two graphs as lines of JSON: those that only one has are marked, and long runs of others left out. */
export function JsonLines({ before, after }: JsonLinesProps) {
	const words = AGENT_STRINGS.versions;
	const lines = useMemo(
		() => compareLines(JSON.stringify(before, null, 2), JSON.stringify(after, null, 2)),
		[before, after],
	);
	return (
		<details className="json-lines">
			<summary>{words.lines}</summary>
			{lines === undefined ? (
				<p>{words.tooLong}</p>
			) : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
				<section tabIndex={0} aria-label={words.lines}>
					<pre>
						{lines.map((line, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: lines have their place alone.
							<span key={index} data-change={line.change}>
								{line.change === "skipped"
									? `… ${words.skipped(formatNumber(line.count))}`
									: `${MARKS[line.change]} ${visibleText(line.text)}`}
								{"\n"}
							</span>
						))}
					</pre>
				</section>
			)}
		</details>
	);
}
