import type { Citation } from "@stemma/client";
import { type ThreadHandle, type ThreadService, type ThreadTarget, useThread } from "@stemma/react";
import { type ChatLabels, ChatThread } from "@stemma/react/chat";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useApp } from "../data/app-context";
import { navigate, toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";
import { type AnswerChoices, type AnswerTarget, toKnowledgeBaseIds, toThreadFields } from "./answer-target";

interface ConversationProps {
	readonly threadId: string | undefined;
	readonly target: AnswerTarget;
	readonly choices: AnswerChoices;
	readonly header: ReactNode;
	readonly onSource: (citation: Citation) => void;
	/** Called when an answer begins or ends. */
	readonly onChange: () => void;
	readonly children: ReactNode;
}

const LABELS: Partial<ChatLabels> = { message: STRINGS.ask.message };

/** The conversation that is shown, or one that begins with the first question. */
export function Conversation(props: ConversationProps) {
	const { threadId, target, choices, header, onSource, onChange, children } = props;
	const service = useThreadService(target);
	const thread = useMemo<ThreadHandle | null>(
		() => (threadId === undefined ? null : { thread_id: threadId }),
		[threadId],
	);
	const chat = useThread(service, {
		...toThreadTarget(target, choices),
		thread,
		onThread: ({ thread_id }) => navigate(toHref("ask", thread_id)),
	});
	const { isAnswering } = chat;
	const wasAnswering = useRef(isAnswering);
	useEffect(() => {
		if (wasAnswering.current !== isAnswering) onChange();
		wasAnswering.current = isAnswering;
	});
	const area = useRef<HTMLDivElement>(null);
	useSlashKey(area);
	return (
		<div className="conversation" ref={area}>
			<ChatThread chat={chat} labels={LABELS} header={header} onSource={onSource} draftKey="stemma-draft">
				{children}
			</ChatThread>
		</div>
	);
}

function toThreadTarget(target: AnswerTarget, choices: AnswerChoices): ThreadTarget {
	if (target.kind === "agent") return { agent: target.id };
	return { knowledgeBaseIds: toKnowledgeBaseIds(target.ids, choices) };
}

/** Service whose new threads note what they were begun with. */
function useThreadService(target: AnswerTarget): ThreadService {
	const { stemma } = useApp();
	return useMemo(
		() => ({
			agents: stemma.agents,
			ask: stemma.ask,
			runs: stemma.runs,
			threads: { ...stemma.threads, create: () => stemma.threads.create(toThreadFields(target)) },
		}),
		[stemma, target],
	);
}

/** Focuses the field for a question when `/` is typed elsewhere. */
function useSlashKey(area: { readonly current: HTMLElement | null }): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent): void => {
			const isTyping =
				event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog");
			if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			area.current?.querySelector<HTMLTextAreaElement>(".stemma-chat > .stemma-form textarea")?.focus();
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, [area]);
}
