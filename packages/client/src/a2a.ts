export type { A2aClient, A2aInput, A2aSendOptions } from "./a2a/a2a-client";
export { A2aError, type A2aErrorFields } from "./a2a/a2a-error";
export { readA2aText } from "./a2a/a2a-text";
export type { A2aBinding } from "./a2a/choose-interface";
export { type A2a, type A2aConnection, a2a, createA2aClient } from "./a2a/create-a2a-client";
export type { A2aPaginatedTaskList } from "./a2a/paginated-task-list";
export type { A2aPushConfigs } from "./a2a/task-methods";
export type { A2aStream } from "./a2a/task-stream";
export type {
	A2aAgentCard,
	A2aArtifact,
	A2aArtifactUpdate,
	A2aErrorReason,
	A2aInterface,
	A2aListRequest,
	A2aMessage,
	A2aPart,
	A2aPushConfig,
	A2aPushConfigInput,
	A2aRole,
	A2aSendConfiguration,
	A2aSendRequest,
	A2aSendResponse,
	A2aSkill,
	A2aStatusUpdate,
	A2aStreamResponse,
	A2aTask,
	A2aTaskList,
	A2aTaskState,
	A2aTaskStatus,
} from "./a2a/wire";
export { A2A_ERRORS, A2A_VERSION } from "./a2a/wire";
export type { ServerConnection } from "./http/connect-server";
