export {
	type ChatDecisionRequest,
	type ChatRequest,
	type ChatRunRequest,
	readChatRequest,
} from "./front-ends/ai-sdk/read-chat-request";
export {
	toUIMessageStream,
	toUIMessageStreamResponse,
	UI_MESSAGE_STREAM_END,
	UI_MESSAGE_STREAM_HEADERS,
	type UIMessageStreamOptions,
} from "./front-ends/ai-sdk/to-ui-message-stream";
export type { RunMessageMetadata, UIMessageChunk } from "./front-ends/ai-sdk/ui-message-chunk";
export { createUIMessageEncoder, type UIMessageOptions } from "./front-ends/ai-sdk/ui-message-encoder";
export type { RequestIssue } from "./front-ends/request-issue";
export {
	type EncoderOptions,
	type EventEncoder,
	type FrontEndEvent,
	formatChunk,
} from "./front-ends/run-events";
