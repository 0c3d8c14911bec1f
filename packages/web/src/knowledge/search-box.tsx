import { type FoundPassage, type SearchResult, visibleText } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { formatScore } from "../data/format";
import { useAction } from "../data/use-action";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import type { OpenDocument } from "./open-document";

interface SearchBoxProps {
	readonly knowledgeBaseId: string;
	readonly onOpen: (opened: OpenDocument) => void;
}

/** Search of one knowledge base: the passages that a question would find, with their scores. */
export function SearchBox({ knowledgeBaseId, onOpen }: SearchBoxProps) {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const fieldId = useId();
	const [result, setResult] = useState<SearchResult>();
	const find = useAction(async (query: string) => {
		setResult(await stemma.search({ query, knowledge_base_ids: [knowledgeBaseId] }));
	});
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const query = String(new FormData(event.currentTarget).get("query")).trim();
		if (query !== "") void find.run(query);
	};
	return (
		<section className="panel" aria-label={words.search}>
			<h2>{words.search}</h2>
			<form className="row grow" onSubmit={submit}>
				<label className="hidden" htmlFor={fieldId}>
					{words.searchLabel}
				</label>
				<input id={fieldId} type="search" name="query" placeholder={words.searchLabel} maxLength={10_000} />
				<button type="submit" disabled={find.isRunning}>
					{words.searchAction}
				</button>
			</form>
			<ErrorNotice error={find.error} />
			{result && <Passages result={result} onOpen={onOpen} />}
		</section>
	);
}

function Passages({ result, onOpen }: { readonly result: SearchResult } & Pick<SearchBoxProps, "onOpen">) {
	const words = STRINGS.knowledge;
	if (result.passages.length === 0)
		return (
			<p role="status">
				{words.noPassages} <span className="faint">{words.noPassagesHint}</span>
			</p>
		);
	return (
		<>
			<p className="small">{words.scoreNote}</p>
			<ol className="passages">
				{result.passages.map((passage) => (
					<Passage key={passage.passage_id} passage={passage} onOpen={onOpen} />
				))}
			</ol>
		</>
	);
}

function Passage({ passage, onOpen }: { readonly passage: FoundPassage } & Pick<SearchBoxProps, "onOpen">) {
	const words = STRINGS.knowledge;
	const { document_id, title, place, text, score } = passage;
	return (
		<li>
			<div className="row">
				<button
					type="button"
					className="link clip"
					dir="auto"
					onClick={() => onOpen({ documentId: document_id, passage: { place, text, title } })}
				>
					{visibleText(title)}
				</button>
				<span className="badge">
					{words.score} {formatScore(score)}
				</span>
			</div>
			{place.heading && (
				<p className="small" dir="auto">
					{visibleText(place.heading)}
				</p>
			)}
			<blockquote className="plain" dir="auto">
				{visibleText(text)}
			</blockquote>
		</li>
	);
}
