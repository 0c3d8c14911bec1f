import { type Citation, visibleText } from "@stemma/client";
import { Markdown } from "@stemma/react/chat";
import { RUN_STRINGS } from "../strings/run-strings";
import { JsonBlock } from "./json-block";
import type { RunView } from "./run-view";

interface RunOutputProps {
	readonly view: RunView;
	readonly onSource: (citation: Citation) => void;
}

/** Output of a run as it comes, with its sources. */
export function RunOutput({ view, onSource }: RunOutputProps) {
	const words = RUN_STRINGS;
	const { result, text, status } = view;
	const citations = result?.citations ?? [];
	const output = result?.output ?? null;
	const isOver = status !== "running" && status !== "paused";
	return (
		<section className="panel" aria-label={words.output} aria-busy={status === "running"}>
			<h2>{words.output}</h2>
			{output !== null && typeof output !== "string" ? (
				<JsonBlock value={output} />
			) : text === "" ? (
				<p className="small">{isOver ? words.noOutputEnded : words.noOutput}</p>
			) : (
				<div className="prose break">
					<Markdown text={text} />
				</div>
			)}
			{citations.length > 0 && (
				<ol className="run-sources" aria-label={words.sources}>
					{citations.map((citation) => (
						<li key={citation.n} value={citation.n}>
							<button type="button" className="link" dir="auto" onClick={() => onSource(citation)}>
								[{citation.n}] {visibleText(citation.title)}
							</button>
						</li>
					))}
				</ol>
			)}
		</section>
	);
}
