import { type Thread, visibleText } from "@stemma/client";
import { useEffect, useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { useDelayed } from "../data/use-delayed";
import { useList } from "../data/use-list";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { navigate, toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";

interface ThreadListProps {
	readonly threadId: string | undefined;
	/** Grows with each answer: the list is read again. */
	readonly changes: number;
	readonly onNew: () => void;
}

/** Time after the last key before a search is sent. */
const SEARCH_DELAY_MS = 250;

/** Conversations of the person, newest first, with a search. */
export function ThreadList({ threadId, changes, onNew }: ThreadListProps) {
	const words = STRINGS.ask;
	const { stemma } = useApp();
	const [query, setQuery] = useState("");
	const sentQuery = useDelayed(query.trim(), SEARCH_DELAY_MS);
	const [deleting, setDeleting] = useState<Thread>();
	const list = useThreads(sentQuery, changes);
	const { reload } = list;
	const showNew = () => {
		onNew();
		navigate(toHref("ask"));
	};
	const remove = useAction(async ({ id }: Thread) => {
		await stemma.threads.delete(id);
		if (id === threadId) showNew();
		await reload();
	});
	const threads = list.value?.data ?? [];
	return (
		<section className="threads" aria-label={words.threads}>
			<button type="button" className="primary wide" onClick={showNew}>
				{words.newThread}
			</button>
			<input
				type="search"
				aria-label={words.search}
				placeholder={words.search}
				value={query}
				onChange={(event) => setQuery(event.target.value)}
			/>
			<ErrorNotice error={list.error ?? remove.error} onRetry={() => void reload()} />
			{list.value && threads.length === 0 && (
				<p className="small">{sentQuery === "" ? words.noThreads : words.noMatches}</p>
			)}
			<ul>
				{threads.map((thread) => (
					<ThreadItem
						key={thread.id}
						thread={thread}
						isShown={thread.id === threadId}
						onDelete={() => setDeleting(thread)}
					/>
				))}
			</ul>
			{list.value?.has_more && (
				<button type="button" disabled={list.isLoading} onClick={list.showMore}>
					{STRINGS.app.more}
				</button>
			)}
			{deleting && (
				<DeleteDialog
					thread={deleting}
					onConfirm={() => void remove.run(deleting)}
					onClose={() => setDeleting(undefined)}
				/>
			)}
		</section>
	);
}

/** Conversations that a search finds, or all; read again with each change. */
function useThreads(query: string, changes: number) {
	const { stemma } = useApp();
	const list = useList(`threads ${query}`, (page, signal) =>
		stemma.threads.list({ ...page, ...(query !== "" && { query }) }, { signal }),
	);
	const { reload } = list;
	useEffect(() => void (changes > 0 && reload()), [changes, reload]);
	return list;
}

interface DeleteDialogProps {
	readonly thread: Thread;
	readonly onConfirm: () => void;
	readonly onClose: () => void;
}

function DeleteDialog({ thread, onConfirm, onClose }: DeleteDialogProps) {
	return (
		<ConfirmDialog
			title={STRINGS.ask.deleteThreadTitle}
			action={STRINGS.app.delete}
			onConfirm={onConfirm}
			onClose={onClose}
		>
			{STRINGS.ask.deleteThreadText(toTitle(thread))}
		</ConfirmDialog>
	);
}

interface ThreadItemProps {
	readonly thread: Thread;
	readonly isShown: boolean;
	readonly onDelete: () => void;
}

function ThreadItem({ thread, isShown, onDelete }: ThreadItemProps) {
	const title = toTitle(thread);
	return (
		<li>
			<a href={toHref("ask", thread.id)} aria-current={isShown ? "true" : undefined}>
				<span className="clip" dir="auto">
					{title}
				</span>
				<time className="small" dateTime={thread.updated_at}>
					{formatTime(thread.updated_at)}
				</time>
			</a>
			<button
				type="button"
				className="icon"
				aria-label={STRINGS.ask.deleteThread(title)}
				title={STRINGS.app.delete}
				onClick={onDelete}
			>
				<span aria-hidden="true">×</span>
			</button>
		</li>
	);
}

const toTitle = ({ title }: Thread): string => visibleText(title ?? STRINGS.ask.untitled);
