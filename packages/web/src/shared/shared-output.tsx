import { type SharedCitation, type SharedRun, visibleText } from "@stemma/client";
import { Markdown } from "@stemma/react/chat";
import { JsonBlock } from "../runs/json-block";
import { RunErrorNotice } from "../runs/run-error-notice";
import { SHARE_STRINGS } from "../strings/share-strings";
import { toWebAddress } from "./web-address";

/** Answer of a shared run, with the title and the quote of each source. */
export function SharedOutput({ run: { output, citations = [], error } }: { readonly run: SharedRun }) {
	const words = SHARE_STRINGS;
	return (
		<>
			{error && <RunErrorNotice error={error} title={words.errorTitle} />}
			<section className="panel" aria-label={words.answer}>
				<h2>{words.answer}</h2>
				{output === undefined || output === null || output === "" ? (
					<p className="small">{words.noAnswer}</p>
				) : typeof output === "string" ? (
					<div className="prose break">
						<Markdown text={output} />
					</div>
				) : (
					<JsonBlock value={output} />
				)}
				{citations.length > 0 && (
					<ol className="run-sources" aria-label={words.sources}>
						{citations.map((citation) => (
							<SharedSource key={citation.n} citation={citation} />
						))}
					</ol>
				)}
			</section>
		</>
	);
}

function SharedSource({ citation: { n, title, text, url } }: { readonly citation: SharedCitation }) {
	const address = toWebAddress(url);
	return (
		<li value={n}>
			<details>
				<summary dir="auto">
					[{n}] {visibleText(title)}
				</summary>
				<blockquote className="plain break" dir="auto">
					{visibleText(text)}
				</blockquote>
				{address && (
					<p className="break">
						<a href={address.href} rel="noopener noreferrer" target="_blank">
							{visibleText(address.href)}
						</a>
					</p>
				)}
			</details>
		</li>
	);
}
