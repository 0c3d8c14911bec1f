import type { RefObject } from "react";
import { useChatContext } from "./chat-context";
import { MessageForm } from "./message-form";

/** Field for the next message. While an answer is written, its button stops it, and keeps the focus. */
export function Composer({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
	const { chat, labels } = useChatContext();
	const { isAnswering } = chat;

	function onSubmit(text: string, form: HTMLFormElement) {
		if (isAnswering) return chat.stop();
		if (text === "") return;
		chat.send(text);
		form.reset();
	}

	return (
		<MessageForm
			label={labels.message}
			submitLabel={isAnswering ? labels.stop : labels.send}
			field={field}
			canSend={!isAnswering}
			onSubmit={onSubmit}
		/>
	);
}
