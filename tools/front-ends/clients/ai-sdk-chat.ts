import type { Target } from "../fixture";

/** Part of a message of the AI SDK. */
export interface Part {
	readonly type: string;
	readonly text?: string;
	readonly state?: string;
	readonly toolName?: string;
	readonly input?: unknown;
	readonly output?: unknown;
	readonly title?: string;
	readonly data?: unknown;
	readonly approval?: { readonly id: string; readonly approved?: boolean };
	readonly providerMetadata?: { readonly stemma: object };
}
export interface Message {
	readonly id: string;
	readonly role: string;
	readonly parts: readonly Part[];
	readonly metadata?: { readonly run_id?: string; readonly status?: string; readonly run_token?: string };
}
export interface Chat {
	readonly messages: readonly Message[];
	readonly status: string;
	readonly error: string | undefined;
	send(text: string): Promise<void>;
	sendParts(parts: readonly object[]): Promise<void>;
	approve(id: string, approved: boolean, reason?: string): Promise<void>;
	regenerate(): Promise<void>;
	resume(): Promise<void>;
	stop(): Promise<void>;
}
export interface ChatOptions {
	readonly api: string;
	readonly fetch: Target["fetch"];
	readonly id?: string;
	readonly messages?: readonly Message[];
	prepareReconnectToStreamRequest?(request: { readonly api: string; readonly id: string }): {
		readonly api: string;
	};
}
/** The chat of `useChat`, from the packages that the tests install. */
export interface ChatProgram {
	openChat(options: ChatOptions): Chat;
	readMessage(response: Response): Promise<{ readonly message: Message; readonly errors: readonly string[] }>;
}

export const loadChatProgram = (): Promise<ChatProgram> =>
	import(/* @vite-ignore */ new URL("../programs/ai-sdk.mjs", import.meta.url).href);

export const partsOf = (message: Message | undefined, type: string): readonly Part[] =>
	(message?.parts ?? []).filter((part) => part.type === type);

export const textOf = (message: Message | undefined): string =>
	partsOf(message, "text")
		.map(({ text = "" }) => text)
		.join("");
