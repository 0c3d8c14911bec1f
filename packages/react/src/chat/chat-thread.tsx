import { type Citation, visibleText } from "@stemma/client";
import type { UseThreadResult, VisibleMessage } from "@stemma/react";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { ChatContext, useChatContext } from "./chat-context";
import { AssistantMessage, UserMessage } from "./chat-message";
import { Composer } from "./composer";
import { type ChatLabels, ENGLISH } from "./labels";

/** Props of {@link ChatThread}. */
export interface ChatThreadProps {
	/** Result of `useThread`. */
	readonly chat: UseThreadResult;
	/** Words in place of the English ones. Pass the same object at each render. */
	readonly labels?: Partial<ChatLabels> | undefined;
	/**
	 * Called with the source that somebody opens, for an app that shows documents itself. Default: its passage opens below
	 * the answer.
	 */
	readonly onSource?: ((citation: Citation) => void) | undefined;
	/**
	 * Name under which the tab's `sessionStorage` keeps a message that is not sent yet, so that it is there after a reload.
	 * Default: it is not kept.
	 */
	readonly draftKey?: string | undefined;
	/** Shown above the messages. */
	readonly header?: ReactNode;
	/** Shown while there is no message. */
	readonly children?: ReactNode;
}

/** A thread with its messages and the field for the next one, over `useThread`. */
export function ChatThread({ chat, labels, onSource, draftKey, header, children }: ChatThreadProps) {
	const field = useRef<HTMLTextAreaElement>(null);
	const list = useRef<HTMLOListElement>(null);
	const words = useMemo(() => ({ ...ENGLISH, ...labels }), [labels]);
	const focusComposer = () => field.current?.focus();
	const { messages, status, error } = chat;
	return (
		<ChatContext.Provider value={{ chat, labels: words, focusComposer, onSource }}>
			<section className="stemma-chat" aria-label={words.chat}>
				{header}
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
				<section className="stemma-scroll" aria-label={words.messages} tabIndex={0}>
					<div className="stemma-end">
						{status === "loading" && <p className="stemma-note">{words.loading}</p>}
						{status !== "loading" && messages.length === 0 && children}
						<ol className="stemma-messages" ref={list}>
							{messages.map((message) => (
								// Versions of a message share their place, so that the focus stays on its buttons.
								<Message key={message.parentKey ?? ""} message={message} />
							))}
						</ol>
						{error && (
							<p className="stemma-error" role="alert">
								{visibleText(error.message)} {error.hint && visibleText(error.hint)}
								<button type="button" onClick={chat.reload}>
									{words.retry}
								</button>
							</p>
						)}
					</div>
				</section>
				<Announcements list={list} />
				<Composer field={field} draftKey={draftKey} />
			</section>
		</ChatContext.Provider>
	);
}

function Message({ message }: { readonly message: VisibleMessage }) {
	const { labels } = useChatContext();
	const { key, role, status } = message;
	const isUser = role === "user";
	const Content = isUser ? UserMessage : AssistantMessage;
	return (
		<li className="stemma-message" data-role={role} data-status={status}>
			<article
				aria-label={isUser ? labels.you : labels.assistant}
				aria-busy={status === "sending" || status === "in_progress"}
			>
				<Content key={key} message={message} />
			</article>
			<Versions message={message} />
		</li>
	);
}

/** Buttons to the branches that begin at a message. */
function Versions({ message: { key, versions } }: { readonly message: VisibleMessage }) {
	const { chat, labels } = useChatContext();
	if (versions.length < 2) return null;
	const index = versions.indexOf(key);
	const renderStep = (label: string, arrow: string, target: string | undefined) => (
		<button
			type="button"
			aria-label={label}
			aria-disabled={target === undefined}
			onClick={() => target !== undefined && chat.select(target)}
		>
			<span aria-hidden="true">{arrow}</span>
		</button>
	);
	return (
		<div className="stemma-versions">
			{renderStep(labels.previousVersion, "‹", versions[index - 1])}
			<span>
				{index + 1} / {versions.length}
			</span>
			{renderStep(labels.nextVersion, "›", versions[index + 1])}
		</div>
	);
}

/** Text for screen readers: that an answer is being written, and at last the whole of it, not each piece. */
function Announcements({ list }: { readonly list: RefObject<HTMLOListElement | null> }) {
	const { chat, labels } = useChatContext();
	const { messages, isAnswering } = chat;
	const [text, setText] = useState("");
	const wasAnswering = useRef(false);
	const last = messages.at(-1);
	useEffect(() => {
		if (isAnswering) setText(last?.status === "waiting" ? labels.waiting : labels.answering);
		// As it is shown, without marks.
		else if (wasAnswering.current)
			setText(list.current?.lastElementChild?.querySelector(ANSWER)?.textContent ?? "");
		wasAnswering.current = isAnswering;
	}, [isAnswering, last, labels, list]);
	return (
		<p className="stemma-announcement" role="status">
			{text}
		</p>
	);
}

const ANSWER = '[aria-busy="false"] .stemma-text';
