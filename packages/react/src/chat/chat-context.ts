import type { Citation } from "@stemma/client";
import type { UseThreadResult } from "@stemma/react";
import { createContext, useContext } from "react";
import type { ChatLabels } from "./labels";

/** Values that the parts of a chat share. */
export interface ChatContextValue {
	readonly chat: UseThreadResult;
	readonly labels: ChatLabels;
	/** Puts the focus into the field for messages. */
	readonly focusComposer: () => void;
	/** Opens a source beside the chat. Default: its passage opens below the answer. */
	readonly onSource: ((citation: Citation) => void) | undefined;
}

export const ChatContext = createContext<ChatContextValue | undefined>(undefined);

/** @throws Error outside of a chat. */
export function useChatContext(): ChatContextValue {
	const value = useContext(ChatContext);
	if (value === undefined) throw new Error("Parts of a chat need <ChatThread> around them.");
	return value;
}
