import { type KnowledgeDocument, visibleText } from "@stemma/client";
import { useEffect, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatBytes, formatNumber, formatTime } from "../data/format";
import { STRINGS } from "../data/strings";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import type { OpenDocument } from "./open-document";

interface DocumentTableProps {
	readonly knowledgeBaseId: string;
	/** Grows with each upload: the list is read again. */
	readonly uploads: number;
	readonly onOpen: (opened: OpenDocument) => void;
}

const PAGE_SIZE = 100;
/** Interval at which documents that are being read are looked at. */
const POLL_MS = 1_500;

/** Documents of a knowledge base with their states, newest first. */
export function DocumentTable({ knowledgeBaseId, uploads, onOpen }: DocumentTableProps) {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const mayWrite = useScope("knowledge:write");
	const { documents } = stemma.knowledge;
	const [pages, setPages] = useState(1);
	const list = useResource(`documents ${knowledgeBaseId} ${pages}`, (signal) =>
		readPages(
			(after) => documents.list(knowledgeBaseId, { limit: PAGE_SIZE, ...(after && { after }) }, { signal }),
			pages,
		),
	);
	const { reload, value } = list;
	useReloads(value?.data ?? [], uploads, reload);
	const [deleting, setDeleting] = useState<KnowledgeDocument>();
	const change = useAction(async (perform: () => Promise<unknown>) => {
		await perform();
		await reload();
	});
	return (
		<section className="panel" aria-label={words.documentsTitle}>
			<h2>{words.documentsTitle}</h2>
			<ErrorNotice error={list.error ?? change.error} onRetry={() => void reload()} />
			{value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value?.data.length === 0 && (
				<EmptyState title={words.noDocuments}>
					<p>{mayWrite ? words.noDocumentsHint : words.noDocumentsHintViewer}</p>
				</EmptyState>
			)}
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
			{value?.has_more && (
				<button type="button" onClick={() => setPages(pages + 1)}>
					{words.more}
				</button>
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

/** Part of a list, as `PaginatedList` gives it. */
interface ListPage {
	readonly data: readonly KnowledgeDocument[];
	readonly has_more: boolean;
	readonly next: string | null;
}

async function readPages(
	read: (after: string | undefined) => PromiseLike<ListPage>,
	count: number,
): Promise<ListPage> {
	let page = await read(undefined);
	const data = [...page.data];
	for (let read_ = 1; read_ < count && page.has_more && page.next !== null; read_ += 1) {
		page = await read(page.next);
		data.push(...page.data);
	}
	return { ...page, data };
}

/** Reads the list again after uploads, and while documents are being read. */
function useReloads(
	documents: readonly KnowledgeDocument[],
	uploads: number,
	reload: () => Promise<void>,
): void {
	const isReading = documents.some(({ status }) => status === "queued" || status === "processing");
	useEffect(() => void (uploads > 0 && reload()), [uploads, reload]);
	useEffect(() => {
		// Each list that was read starts the timer of the next one.
		if (!isReading || documents.length === 0) return;
		const timer = setTimeout(() => void reload(), POLL_MS);
		return () => clearTimeout(timer);
	}, [documents, isReading, reload]);
}

interface DocumentRowProps {
	readonly document: KnowledgeDocument;
	readonly mayWrite: boolean;
	readonly onOpen: () => void;
	readonly onRetry: () => void;
	readonly onDelete: () => void;
}

function DocumentRow({ document, mayWrite, onOpen, onRetry, onDelete }: DocumentRowProps) {
	const words = STRINGS.knowledge;
	const { status, error, size_bytes, passage_count, updated_at, unread_pages = [] } = document;
	const title = visibleText(document.title);
	const canRetry = status === "failed" || unread_pages.length > 0;
	return (
		<li data-status={status}>
			<div className="row">
				{status === "ready" ? (
					<button
						type="button"
						className="link clip"
						aria-label={words.read(title)}
						dir="auto"
						onClick={onOpen}
					>
						{title}
					</button>
				) : (
					<span className="clip" dir="auto">
						{title}
					</span>
				)}
				<span className="badge" data-status={status}>
					{words.statuses[status]}
				</span>
				{mayWrite && canRetry && (
					<button type="button" aria-label={words.retryDocument(title)} onClick={onRetry}>
						{words.retry}
					</button>
				)}
				{mayWrite && (
					<button
						type="button"
						className="icon"
						aria-label={words.deleteDocument(title)}
						title={STRINGS.app.delete}
						onClick={onDelete}
					>
						<span aria-hidden="true">×</span>
					</button>
				)}
			</div>
			<p className="small">
				{formatBytes(size_bytes)}
				{status === "ready" && ` · ${words.passages(formatNumber(passage_count))}`} · {formatTime(updated_at)}
			</p>
			{unread_pages.length > 0 && (
				<p className="small">{words.unreadPages(formatNumber(unread_pages.length))}</p>
			)}
			{error && <DocumentFailure error={error} />}
		</li>
	);
}

/** Failure of reading a document, with what to do. */
function DocumentFailure({ error }: { readonly error: NonNullable<KnowledgeDocument["error"]> }) {
	return (
		<div className="notice bad">
			<p>{visibleText(error.message)}</p>
			{error.hint && <p>{visibleText(error.hint)}</p>}
			<p className="small">
				{STRINGS.app.code}: <code>{error.code}</code>
			</p>
		</div>
	);
}
