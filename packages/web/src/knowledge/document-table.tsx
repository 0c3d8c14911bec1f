import { type DocumentStatus, type KnowledgeDocument, visibleText } from "@stemma/client";
import { useEffect, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { useAction } from "../data/use-action";
import { usePagedList } from "../data/use-paged-list";
import { usePolling } from "../data/use-polling";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { PageTurner } from "../shell/page-turner";
import { toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";
import { DocumentRow } from "./document-row";
import type { OpenDocument } from "./open-document";

interface DocumentTableProps {
	readonly knowledgeBaseId: string;
	/** Grows with each upload: the list is read again. */
	readonly uploads: number;
	readonly onOpen: (opened: OpenDocument) => void;
}

const STATUSES = ["queued", "processing", "ready", "failed"] as const satisfies readonly DocumentStatus[];
/** Interval at which documents that are being read are looked at. */
const POLL_MS = 1_500;

/** Documents of a knowledge base with their states, newest first. */
export function DocumentTable({ knowledgeBaseId, uploads, onOpen }: DocumentTableProps) {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const mayWrite = useScope("knowledge:write");
	const mayAsk = useScope("ask");
	const { documents } = stemma.knowledge;
	const [status, setStatus] = useState<DocumentStatus>();
	const filter = status === undefined ? {} : { status };
	const list = usePagedList(`documents ${knowledgeBaseId} ${status ?? ""}`, (page, signal) =>
		documents.list(knowledgeBaseId, { ...page, ...filter }, { signal }),
	);
	const { reload, value } = list;
	const isReading = value?.data.some(({ status }) => status === "queued" || status === "processing") ?? false;
	usePolling(list, isReading, POLL_MS);
	useEffect(() => void (uploads > 0 && reload()), [uploads, reload]);
	const [deleting, setDeleting] = useState<KnowledgeDocument>();
	const change = useAction(async (perform: () => Promise<unknown>) => {
		await perform();
		await reload();
	});
	return (
		<section className="panel" aria-label={words.documentsTitle}>
			<div className="row">
				<h2 className="person">{words.documentsTitle}</h2>
				<StatusChoice status={status} onChange={setStatus} />
			</div>
			<ErrorNotice error={list.error ?? change.error} onRetry={() => void reload()} />
			{value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value?.data.length === 0 && <NoDocuments isFiltered={status !== undefined} mayWrite={mayWrite} />}
			<ul className="documents">
				{value?.data.map((document) => (
					<DocumentRow
						key={document.id}
						document={document}
						mayWrite={mayWrite}
						onOpen={() => onOpen({ documentId: document.id })}
						onRetry={() => void change.run(() => documents.retry(knowledgeBaseId, document.id))}
						onDelete={() => setDeleting(document)}
					/>
				))}
			</ul>
			<PageTurner list={list} />
			{mayAsk && value?.data.some((document) => document.status === "ready") && (
				<a className="button" href={toHref("ask")}>
					{words.ask}
				</a>
			)}
			{deleting && (
				<ConfirmDialog
					title={words.deleteDocumentTitle}
					action={STRINGS.app.delete}
					onConfirm={() => void change.run(() => documents.delete(knowledgeBaseId, deleting.id))}
					onClose={() => setDeleting(undefined)}
				>
					{words.deleteDocumentText(visibleText(deleting.title))}
				</ConfirmDialog>
			)}
		</section>
	);
}

interface NoDocumentsProps {
	/** Documents of one state alone are listed. */
	readonly isFiltered: boolean;
	readonly mayWrite: boolean;
}

function NoDocuments({ isFiltered, mayWrite }: NoDocumentsProps) {
	const words = STRINGS.knowledge;
	if (isFiltered) return <p className="faint">{words.noneOfStatus}</p>;
	return (
		<EmptyState title={words.noDocuments}>
			<p>{mayWrite ? words.noDocumentsHint : words.noDocumentsHintViewer}</p>
		</EmptyState>
	);
}

interface StatusChoiceProps {
	readonly status: DocumentStatus | undefined;
	readonly onChange: (status: DocumentStatus | undefined) => void;
}

/** Choice of the documents to show, by their state. */
function StatusChoice({ status, onChange }: StatusChoiceProps) {
	const words = STRINGS.knowledge;
	return (
		<select
			aria-label={words.status}
			value={status ?? ""}
			onChange={(event) => onChange(STATUSES.find((one) => one === event.target.value))}
		>
			<option value="">{words.allStatuses}</option>
			{STATUSES.map((one) => (
				<option key={one} value={one}>
					{words.statuses[one]}
				</option>
			))}
		</select>
	);
}
