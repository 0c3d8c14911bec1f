import { visibleText } from "@stemma/client";
import { Markdown } from "@stemma/react/chat";
import { useEffect, useMemo, useRef } from "react";
import { STRINGS } from "../data/strings";
import { markPassage, type PassagePlace } from "./mark-passage";

interface DocumentTextProps {
	readonly text: string;
	/** Position of `text` in the whole text. */
	readonly offset: number;
	readonly isMarkdown: boolean;
	readonly passage: PassagePlace | undefined;
}

/** Text of a document, scrolled to the passage that is marked in it. */
export function DocumentText({ text, offset, isMarkdown, passage }: DocumentTextProps) {
	const parts = useMemo(
		() => (passage === undefined ? undefined : markPassage(text, passage, offset)),
		[text, passage, offset],
	);
	const mark = useRef<HTMLElement>(null);
	// In braces: newer browsers return a promise.
	useEffect(() => {
		void mark.current?.scrollIntoView({ block: "center" });
	}, []);
	if (passage === undefined || parts === undefined) return <Part text={text} isMarkdown={isMarkdown} />;
	if (parts.marked === "")
		return (
			<>
				<p className="notice">{STRINGS.viewer.changed}</p>
				<blockquote dir="auto" className="plain">
					{visibleText(passage.text)}
				</blockquote>
				<Part text={text} isMarkdown={isMarkdown} />
			</>
		);
	return (
		<>
			<Part text={parts.before} isMarkdown={isMarkdown} />
			<mark ref={mark}>
				<Part text={parts.marked} isMarkdown={isMarkdown} />
			</mark>
			<Part text={parts.after} isMarkdown={isMarkdown} />
		</>
	);
}

function Part({ text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean }) {
	if (text.trim() === "") return null;
	if (isMarkdown)
		return (
			<div className="prose">
				<Markdown text={text} />
			</div>
		);
	return (
		<div className="plain" dir="auto">
			{visibleText(text)}
		</div>
	);
}
