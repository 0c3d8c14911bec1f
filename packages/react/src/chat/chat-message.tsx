import { visibleText } from "@stemma/client";
import type { VisibleMessage } from "@stemma/react";
import { useMemo, useRef, useState } from "react";
import { Approvals } from "./approvals";
import { useChatContext } from "./chat-context";
import { Feedback } from "./feedback";
import { Markdown } from "./markdown/markdown";
import { MessageForm } from "./message-form";
import { Receipt } from "./receipt";
import { Sources } from "./sources";

interface MessageProps {
	readonly message: VisibleMessage;
}

/** Message of the user, which can be edited. */
export function UserMessage({ message }: MessageProps) {
	const { chat, labels, focusComposer } = useChatContext();
	const [isEditing, setEditing] = useState(false);
	const editButton = useRef<HTMLButtonElement>(null);
	const { key, text, status } = message;

	function save(next: string) {
		if (next === "") return;
		chat.edit(key, next);
		focusComposer();
	}

	function cancel() {
		setEditing(false);
		// The button is there again after the next render.
		setTimeout(() => editButton.current?.focus());
	}

	if (isEditing)
		return (
			<MessageForm
				label={labels.edit}
				submitLabel={labels.save}
				initialText={text}
				autoFocus
				onSubmit={save}
				onEscape={cancel}
			>
				<button type="button" onClick={cancel}>
					{labels.cancel}
				</button>
			</MessageForm>
		);
	return (
		<>
			<p className="stemma-text" dir="auto">
				{visibleText(text)}
			</p>
			{status !== "sending" && !chat.isAnswering && (
				<div className="stemma-actions">
					<button type="button" ref={editButton} onClick={() => setEditing(true)}>
						{labels.edit}
					</button>
				</div>
			)}
		</>
	);
}

/** Answer as it is written, with all that belongs to it. */
export function AssistantMessage({ message }: MessageProps) {
	const { labels } = useChatContext();
	const [openSource, setOpenSource] = useState<number>();
	const { text, status, citations, receipt, error } = message;
	const renderReference = useReferences(message, setOpenSource);
	const isPending = status === "sending" || status === "in_progress";
	return (
		<>
			{text !== "" && (
				<div className="stemma-text">
					<Markdown text={text} renderReference={renderReference} />
				</div>
			)}
			{text === "" && isPending && <p className="stemma-note">{labels.answering}</p>}
			{status === "queued" && <p className="stemma-note">{labels.queued}</p>}
			{status === "cancelled" && <p className="stemma-note">{labels.cancelled}</p>}
			<Approvals message={message} />
			<Sources citations={citations} open={openSource} onOpen={setOpenSource} />
			<Receipt rows={receipt} />
			{error && (
				<p className="stemma-error" role="alert">
					{visibleText(error.message)} {error.hint && visibleText(error.hint)}
				</p>
			)}
			<Actions message={message} />
		</>
	);
}

/** Renders the numbers of sources in an answer as buttons that open them. The same function while the sources are the same. */
function useReferences({ citations }: VisibleMessage, open: (n: number) => void) {
	const { labels, onSource } = useChatContext();
	return useMemo(() => {
		if (citations.length === 0) return undefined;
		const sources = new Map(citations.map((citation) => [citation.n, citation]));
		return (n: number) => {
			const source = sources.get(n);
			return (
				source && (
					<button
						type="button"
						className="stemma-reference"
						aria-label={`${labels.source} ${n}: ${visibleText(source.title)}`}
						onClick={() => (onSource === undefined ? open(n) : onSource(source))}
					>
						{n}
					</button>
				)
			);
		};
	}, [citations, labels, open, onSource]);
}

function Actions({ message }: MessageProps) {
	const { chat, labels } = useChatContext();
	const { key, status } = message;
	if (status === "failed" || status === "cancelled")
		return (
			<div className="stemma-actions">
				<button type="button" onClick={() => chat.retry(key)}>
					{labels.retry}
				</button>
			</div>
		);
	if (status !== "completed") return null;
	return (
		<div className="stemma-actions">
			<button type="button" onClick={() => chat.regenerate(key)} disabled={chat.isAnswering}>
				{labels.regenerate}
			</button>
			<Feedback message={message} />
		</div>
	);
}
