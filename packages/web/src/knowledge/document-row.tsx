import { type KnowledgeDocument, visibleText } from "@stemma/client";
import { formatBytes, formatNumber, formatTime } from "../data/format";
import { STRINGS } from "../strings/strings";

interface DocumentRowProps {
	readonly document: KnowledgeDocument;
	readonly mayWrite: boolean;
	readonly onOpen: () => void;
	readonly onRetry: () => void;
	readonly onDelete: () => void;
}

/** A document in the list: its title, state, size, and what can be done with it. */
export function DocumentRow({ document, mayWrite, onOpen, onRetry, onDelete }: DocumentRowProps) {
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
