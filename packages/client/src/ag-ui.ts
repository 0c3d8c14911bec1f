export { type AgUiOptions, createAgUiEncoder } from "./front-ends/ag-ui/ag-ui-encoder";
export type { AgUiEvent, AgUiInterrupt, AgUiMessage } from "./front-ends/ag-ui/ag-ui-event";
export {
	type AgUiRequest,
	type AgUiResumeRequest,
	type AgUiRunRequest,
	readAgUiRequest,
} from "./front-ends/ag-ui/read-ag-ui-request";
export {
	AG_UI_HEADERS,
	type AgUiStreamOptions,
	toAgUiResponse,
	toAgUiStream,
} from "./front-ends/ag-ui/to-ag-ui-stream";
export type { RequestIssue } from "./front-ends/request-issue";
export {
	type EncoderOptions,
	type EventEncoder,
	type FrontEndEvent,
	formatChunk,
} from "./front-ends/run-events";
