import { visibleText } from "@stemma/client";
import type { Json } from "@stemma/core";
import { RUN_STRINGS } from "../../strings/run-strings";
import { JsonBlock } from "../json-block";
import { RunErrorNotice } from "../run-error-notice";
import type { RunSpan } from "../run-view";
import { type FoundPassage, readPassages } from "./read-passages";

/** Details of a step: its input, its output or its error, and the passages that it found. */
export function SpanDetails({ span }: { readonly span: RunSpan }) {
	const words = RUN_STRINGS;
	const { kind, input, output, error, text, skipped, approvals } = span;
	const found = kind === "knowledge" ? readPassages(output) : undefined;
	return (
		<div className="span-details">
			{approvals.map((approval) => (
				<Part
					key={approval.id}
					title={words.approvalOf(visibleText(approval.tool))}
					value={approval.arguments}
				/>
			))}
			{input !== undefined && <Part title={words.input} value={input} />}
			{found !== undefined ? (
				<Passages passages={found} />
			) : (
				output !== undefined && <Part title={words.output} value={output} />
			)}
			{output === undefined && text !== "" && <Part title={words.writes} value={text} />}
			{error && <RunErrorNotice error={error} />}
			{skipped.map(({ node, reason }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: they are only added.
				<p key={index} className="small break">
					{words.skipped(visibleText(node), visibleText(reason))}
				</p>
			))}
		</div>
	);
}

function Part({ title, value }: { readonly title: string; readonly value: Json }) {
	return (
		<>
			<h3>{title}</h3>
			<JsonBlock value={value} />
		</>
	);
}

function Passages({ passages }: { readonly passages: readonly FoundPassage[] }) {
	const words = RUN_STRINGS;
	return (
		<>
			<h3>{words.passages}</h3>
			<ol className="passages">
				{passages.map(({ number, title, text }) => (
					<li key={number}>
						<strong dir="auto">
							[{number}] {visibleText(title)}
						</strong>
						<blockquote className="plain" dir="auto">
							{visibleText(text)}
						</blockquote>
					</li>
				))}
			</ol>
		</>
	);
}
