export { ChatThread, type ChatThreadProps } from "./chat/chat-thread";
export type { ChatLabels } from "./chat/labels";
export { Markdown, type MarkdownProps } from "./chat/markdown/markdown";
export { StemmaChat, type StemmaChatProps } from "./chat/stemma-chat";
