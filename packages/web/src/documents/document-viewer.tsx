import {
	type Citation,
	type KnowledgeDocument,
	NotFoundError,
	type Place,
	type TextRange,
	visibleText,
} from "@stemma/client";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useApp } from "../data/app-context";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { DocumentContent, toFileAddress } from "./document-content";
import type { PassagePlace } from "./mark-passage";

interface DocumentViewerProps {
	readonly documentId: string;
	/** Passage to mark. */
	readonly citation?: (PassagePlace & Partial<Pick<Citation, "support" | "title">>) | undefined;
	readonly onClose: () => void;
}

/** Longer documents are read around the passage first, so many UTF-16 code units each way. */
const SURROUNDING = 20_000;

/** A document as it was read, beside the page, with the passage that was cited. Escape closes it. */
export function DocumentViewer({ documentId, citation, onClose }: DocumentViewerProps) {
	const words = STRINGS.viewer;
	const { stemma } = useApp();
	const [isWhole, setWhole] = useState(false);
	const place = citation?.place;
	const read = async (signal: AbortSignal) => {
		const { documents } = stemma.knowledge;
		const document = await documents.find(documentId, { signal });
		const range: TextRange = isWhole ? {} : toRange(place);
		const part = await documents.text(document.knowledge_base_id, document.id, range, { signal });
		return { document, text: part.text, start: range.start ?? 0, end: range.end };
	};
	// What is shown stays while all of it is read, in the view that was chosen.
	const resource = useResource(documentId, read, isWhole ? 1 : 0);
	const panel = useFocusedPanel();
	const titleId = useId();
	const loaded = resource.value;
	const title = loaded?.document.title ?? citation?.title ?? words.title;
	const isCut =
		loaded?.end !== undefined && (loaded.start > 0 || loaded.text.length >= loaded.end - loaded.start);
	return (
		<aside
			ref={panel}
			className="viewer"
			aria-labelledby={titleId}
			tabIndex={-1}
			onKeyDown={(event) => event.key === "Escape" && onClose()}
		>
			<header>
				<h2 id={titleId} dir="auto">
					{visibleText(title)}
				</h2>
				<button type="button" className="icon" aria-label={words.close} title={words.close} onClick={onClose}>
					<span aria-hidden="true">×</span>
				</button>
			</header>
			<PlaceLine place={place} document={loaded?.document} />
			{citation?.support === "weak" && <p className="notice">{words.weak}</p>}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
			<section className="viewer-text" aria-label={words.asRead} tabIndex={0}>
				{resource.error !== undefined && <Unreadable error={resource.error} passage={citation?.text} />}
				{resource.isLoading && <p role="status">{STRINGS.app.loading}</p>}
				{loaded && (
					<DocumentContent
						loaded={loaded}
						citation={citation}
						onWhole={isCut ? () => setWhole(true) : undefined}
					/>
				)}
			</section>
		</aside>
	);
}

/** Range to read first: around a passage, or from the beginning. */
function toRange(place: Place | undefined): TextRange {
	const start = Math.max(0, (place?.start ?? 0) - SURROUNDING);
	return { start, end: (place?.end ?? 0) + SURROUNDING };
}

/** Panel that has the focus while it is shown; then the focus goes back to where it was. */
function useFocusedPanel() {
	const panel = useRef<HTMLElement>(null);
	useEffect(() => {
		const previous = document.activeElement;
		panel.current?.focus();
		return () => {
			if (previous instanceof HTMLElement) previous.focus();
		};
	}, []);
	return panel;
}

interface PlaceLineProps {
	readonly place: Place | undefined;
	readonly document: KnowledgeDocument | undefined;
}

/** Place of the passage in the document, and a link to the file. */
function PlaceLine({ place, document }: PlaceLineProps) {
	const words = STRINGS.viewer;
	const parts: ReactNode[] = [
		place?.page !== undefined && words.page(place.page),
		place?.slide !== undefined && words.slide(place.slide),
		place?.sheet !== undefined && visibleText([place.sheet, place.cells].filter(Boolean).join(" ")),
		place?.chapter !== undefined && visibleText(place.chapter),
		place?.heading !== undefined && visibleText(place.heading),
	].filter((part) => part !== false);
	return (
		<div className="small row place">
			<span dir="auto">{parts.join(" · ")}</span>
			{document && (
				<a href={toFileAddress(document)} download>
					{words.download}
				</a>
			)}
		</div>
	);
}

/** Passage as it was cited, of a document that cannot be read: it is gone, or its text is not stored. */
function Unreadable({ error, passage }: { readonly error: unknown; readonly passage: string | undefined }) {
	return (
		<>
			{passage !== undefined && NotFoundError.is(error) ? (
				<p className="notice">{STRINGS.viewer.notReadable}</p>
			) : (
				<ErrorNotice error={error} />
			)}
			{passage !== undefined && (
				<blockquote dir="auto" className="plain">
					{visibleText(passage)}
				</blockquote>
			)}
		</>
	);
}
