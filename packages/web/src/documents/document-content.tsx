import { type KnowledgeDocument, visibleText } from "@stemma/client";
import { lazy, Suspense, useState } from "react";
import { STRINGS } from "../strings/strings";
import { DocumentText } from "./document-text";
import { isAtPlace, type PassagePlace } from "./mark-passage";
import { toFirstPage } from "./page-marks";

const PdfPages = lazy(async () => ({ default: (await import("./pdf-pages")).PdfPages }));

/** Document with the part of its text that was read. */
export interface LoadedDocument {
	readonly document: KnowledgeDocument;
	readonly text: string;
	/** Position of `text` in the whole text. */
	readonly start: number;
}

interface DocumentContentProps {
	readonly loaded: LoadedDocument;
	readonly citation: PassagePlace | undefined;
	/** Shows all of a document of which a part is shown. */
	readonly onWhole: (() => void) | undefined;
}

/** Content of a document: its text as it was read; of a PDF its pages, too. */
export function DocumentContent({ loaded, citation, onWhole }: DocumentContentProps) {
	const words = STRINGS.viewer;
	const { document, text, start } = loaded;
	const isPdf = document.format === "pdf";
	const [view, setView] = useState<"pages" | "text">(isPdf ? "pages" : "text");
	return (
		<>
			{isPdf && <ViewChoice view={view} onChange={setView} />}
			{view === "pages" && (
				<Suspense fallback={<p role="status">{STRINGS.app.loading}</p>}>
					<CitedPages loaded={loaded} citation={citation} />
				</Suspense>
			)}
			{view === "text" && onWhole && (
				<p className="notice row">
					{words.cut}
					<button type="button" onClick={onWhole}>
						{words.showAll}
					</button>
				</p>
			)}
			{view === "text" && (
				<DocumentText text={text} offset={start} format={document.format} passage={citation} />
			)}
		</>
	);
}

interface ViewChoiceProps {
	readonly view: "pages" | "text";
	readonly onChange: (view: "pages" | "text") => void;
}

function ViewChoice({ view, onChange }: ViewChoiceProps) {
	return (
		<fieldset className="row view-choice">
			<legend className="hidden">{STRINGS.viewer.view}</legend>
			{(["pages", "text"] as const).map((one) => (
				<button key={one} type="button" aria-pressed={one === view} onClick={() => onChange(one)}>
					{STRINGS.viewer.views[one]}
				</button>
			))}
		</fieldset>
	);
}

/** Pages of a PDF file at the passage. Its boxes are marked where its text still is in its place, else nothing is. */
function CitedPages({ loaded: { document, text, start }, citation }: Omit<DocumentContentProps, "onWhole">) {
	const boxes = citation?.place.boxes ?? [];
	const isCurrent = citation !== undefined && isAtPlace(text, citation, start);
	return (
		<>
			{citation !== undefined && !(isCurrent && boxes.length > 0) && (
				<>
					<p className="notice">{isCurrent ? STRINGS.viewer.noBoxes : STRINGS.viewer.changed}</p>
					<blockquote dir="auto" className="plain">
						{visibleText(citation.text)}
					</blockquote>
				</>
			)}
			<PdfPages
				url={toFileAddress(document)}
				firstPage={citation === undefined ? 1 : toFirstPage(citation.place)}
				boxes={isCurrent ? boxes : []}
			/>
		</>
	);
}

/** Address of the file as it was uploaded. */
export const toFileAddress = ({ knowledge_base_id, id }: KnowledgeDocument): string =>
	`/v1/knowledge-bases/${knowledge_base_id}/documents/${id}/file`;
