import { type RefObject, useEffect } from "react";
import { useChatContext } from "./chat-context";
import { loadDraft, saveDraft } from "./draft";
import { MessageForm } from "./message-form";

interface ComposerProps {
	readonly field: RefObject<HTMLTextAreaElement | null>;
	readonly draftKey: string | undefined;
}

/** Field for the next message. While an answer is written, its button stops it, and keeps the focus. */
export function Composer({ field, draftKey }: ComposerProps) {
	const { chat, labels } = useChatContext();
	const { isAnswering } = chat;
	// Not at the first render, which has to be the server's.
	useEffect(() => {
		if (field.current !== null && field.current.value === "") field.current.value = loadDraft(draftKey);
	}, [field, draftKey]);

	function onSubmit(text: string, form: HTMLFormElement) {
		if (isAnswering) return chat.stop();
		if (text === "") return;
		chat.send(text);
		form.reset();
		saveDraft(draftKey, "");
	}

	return (
		<MessageForm
			label={labels.message}
			submitLabel={isAnswering ? labels.stop : labels.send}
			field={field}
			canSend={!isAnswering}
			onInput={(text) => saveDraft(draftKey, text)}
			onSubmit={onSubmit}
		/>
	);
}
