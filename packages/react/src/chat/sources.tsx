import { type Citation, type Place, visibleText } from "@stemma/client";
import { useEffect, useRef } from "react";
import { useChatContext } from "./chat-context";
import type { ChatLabels } from "./labels";
import { toSafeUrl } from "./safe-url";

interface SourcesProps {
	readonly citations: readonly Citation[];
	/** Number of the source that is open. */
	readonly open: number | undefined;
	readonly onOpen: (n: number | undefined) => void;
}

/** Sources of an answer as chips: each opens its passage, with a link to the document. */
export function Sources({ citations, open, onOpen }: SourcesProps) {
	const { labels } = useChatContext();
	if (citations.length === 0) return null;
	return (
		<ol className="stemma-sources" aria-label={labels.sources}>
			{citations.map((citation) => (
				<Source
					key={citation.n}
					citation={citation}
					isOpen={citation.n === open}
					onToggle={(isOpen) => onOpen(isOpen ? citation.n : undefined)}
				/>
			))}
		</ol>
	);
}

interface SourceProps {
	readonly citation: Citation;
	readonly isOpen: boolean;
	readonly onToggle: (isOpen: boolean) => void;
}

function Source({ citation, isOpen, onToggle }: SourceProps) {
	const { labels, onSource } = useChatContext();
	const summary = useRef<HTMLElement>(null);
	const { n, title, place, text, support } = citation;
	const part = toPlaceText(place, labels);
	const name = (
		<>
			<span className="stemma-source-number">{n}</span> {visibleText(title)}
			{part && <span className="stemma-source-place"> · {visibleText(part)}</span>}
		</>
	);
	const address = toSafeUrl(citation.url ?? citation.document_url ?? "");
	useEffect(() => {
		if (isOpen) summary.current?.focus();
	}, [isOpen]);
	if (onSource !== undefined)
		return (
			<li value={n}>
				<button
					type="button"
					className="stemma-source"
					data-support={support}
					onClick={() => onSource(citation)}
				>
					{name}
				</button>
			</li>
		);
	return (
		<li className="stemma-source" value={n} data-support={support}>
			<details open={isOpen}>
				{/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control of its own. */}
				<summary
					ref={summary}
					onClick={(event) => {
						event.preventDefault();
						onToggle(!isOpen);
					}}
				>
					{name}
				</summary>
				{place.heading && <p className="stemma-source-heading">{visibleText(place.heading)}</p>}
				<blockquote dir="auto">{visibleText(text)}</blockquote>
				{address && (
					<a href={address.href} target="_blank" rel="noopener noreferrer">
						{labels.openSource}
						{citation.url !== undefined && ` (${address.host})`}
					</a>
				)}
			</details>
		</li>
	);
}

/** Place in the document in few words: sources of one document are told apart by it. */
function toPlaceText({ page, slide, sheet, cells, chapter, heading }: Place, labels: ChatLabels): string {
	if (page !== undefined) return `${labels.page} ${page}`;
	if (slide !== undefined) return `${labels.slide} ${slide}`;
	if (sheet !== undefined) return cells === undefined ? sheet : `${sheet} ${cells}`;
	return heading?.split(" › ").at(-1) ?? chapter ?? "";
}
