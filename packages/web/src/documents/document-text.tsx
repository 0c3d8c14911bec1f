import { type KnowledgeDocument, visibleText } from "@stemma/client";
import { Markdown } from "@stemma/react/chat";
import { useEffect, useMemo, useRef } from "react";
import { STRINGS } from "../strings/strings";
import { markPassage, type PassagePlace } from "./mark-passage";
import { fromHtml } from "./without-markup";

interface DocumentTextProps {
	readonly text: string;
	/** Position of `text` in the whole text. */
	readonly offset: number;
	readonly format: KnowledgeDocument["format"];
	readonly passage: PassagePlace | undefined;
}

/** Text of a document, scrolled to the passage that is marked in it. */
export function DocumentText({ text, offset, format, passage }: DocumentTextProps) {
	const parts = useMemo(
		() => (passage === undefined ? undefined : markPassage(text, passage, offset)),
		[text, passage, offset],
	);
	const mark = useRef<HTMLElement>(null);
	// In braces: newer browsers return a promise.
	useEffect(() => {
		void mark.current?.scrollIntoView({ block: "center" });
	}, []);
	if (passage === undefined || parts === undefined) return <Part text={text} format={format} />;
	if (parts.marked === "")
		return (
			<>
				<p className="notice">{STRINGS.viewer.changed}</p>
				<blockquote dir="auto" className="plain">
					{visibleText(passage.text)}
				</blockquote>
				<Part text={text} format={format} />
			</>
		);
	return (
		<>
			<Part text={parts.before} format={format} />
			<mark ref={mark}>
				<Part text={parts.marked} format={format} />
			</mark>
			<Part text={parts.after} format={format} />
		</>
	);
}

function Part({ text, format }: Pick<DocumentTextProps, "text" | "format">) {
	if (text.trim() === "") return null;
	if (format === "markdown")
		return (
			<div className="prose">
				<Markdown text={text} />
			</div>
		);
	return (
		<div className="plain" dir="auto">
			{visibleText(format === "html" ? fromHtml(text) : text)}
		</div>
	);
}
