import { type ThreadHandle, type ThreadService, type ThreadTarget, useThread } from "@stemma/react";
import { type ReactNode, useEffect, useState } from "react";
import { ChatThread } from "./chat-thread";
import { type ChatLabels, ENGLISH } from "./labels";

/** Props of {@link StemmaChat}: what answers, and where the thread is kept. */
export type StemmaChatProps = ThreadTarget & {
	/** A `Stemma`, or `{ threads, runs, agents }` of a client (with `ask` in place of `agents` for knowledge bases). */
	readonly service: ThreadService;
	/**
	 * Name under which the tab's `sessionStorage` keeps the thread, so that a reload shows it again. Default: the thread is
	 * not kept.
	 */
	readonly storageKey?: string | undefined;
	/** Words in place of the English ones. Pass the same object at each render. */
	readonly labels?: Partial<ChatLabels> | undefined;
	/** Shown while there is no message. */
	readonly children?: ReactNode;
};

/** A chat with an agent or with knowledge bases, in a browser. Its look is in `@stemma/react/chat.css`. */
export function StemmaChat({ service, storageKey, labels, children, ...target }: StemmaChatProps) {
	const [thread, setThread] = useState<ThreadHandle | null>(null);
	// Not at the first render, which has to be the server's.
	useEffect(() => setThread(loadHandle(storageKey)), [storageKey]);
	const changeThread = (handle: ThreadHandle | null) => {
		setThread(handle);
		saveHandle(storageKey, handle);
	};
	const chat = useThread(service, { ...target, thread, onThread: changeThread });
	const header = (
		<header className="stemma-header">
			<button type="button" onClick={() => changeThread(null)} disabled={chat.handle === undefined}>
				{labels?.newChat ?? ENGLISH.newChat}
			</button>
		</header>
	);
	return (
		<ChatThread chat={chat} labels={labels} header={header}>
			{children}
		</ChatThread>
	);
}

function loadHandle(storageKey: string | undefined): ThreadHandle | null {
	if (storageKey === undefined) return null;
	try {
		return JSON.parse(globalThis.sessionStorage.getItem(storageKey) ?? "null");
	} catch {
		// Some browsers forbid it.
		return null;
	}
}

function saveHandle(storageKey: string | undefined, handle: ThreadHandle | null): void {
	if (storageKey === undefined) return;
	try {
		if (handle === null) globalThis.sessionStorage.removeItem(storageKey);
		else globalThis.sessionStorage.setItem(storageKey, JSON.stringify(handle));
	} catch {
		// Without a place to keep it, the thread is shown until the page is left.
	}
}
