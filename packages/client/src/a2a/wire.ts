import type { Json, JsonObject } from "@stemma/core";

/** The protocol of these types, as it stands in `A2A-Version` and in cards. Source: A2A 1.0.1, `a2a.proto` as ProtoJSON. */
export const A2A_VERSION = "1.0";

export type A2aTaskState =
	| "TASK_STATE_UNSPECIFIED"
	| "TASK_STATE_SUBMITTED"
	| "TASK_STATE_WORKING"
	| "TASK_STATE_COMPLETED"
	| "TASK_STATE_FAILED"
	| "TASK_STATE_CANCELED"
	| "TASK_STATE_REJECTED"
	| "TASK_STATE_INPUT_REQUIRED"
	| "TASK_STATE_AUTH_REQUIRED";

export type A2aRole = "ROLE_USER" | "ROLE_AGENT" | "ROLE_UNSPECIFIED";

/** One piece of a message or an artifact: exactly one of `text`, `raw`, `url` and `data`. */
export interface A2aPart {
	readonly text?: string;
	/** Base64. */
	readonly raw?: string;
	readonly url?: string;
	readonly data?: Json;
	/** `application/pdf`; for `text` and `data` known without it. */
	readonly mediaType?: string;
	readonly filename?: string;
	readonly metadata?: JsonObject;
}

export interface A2aMessage {
	/** Made by whoever sends it; the same message sent twice has the same. */
	readonly messageId: string;
	readonly role: A2aRole;
	readonly parts: readonly A2aPart[];
	/** The conversation; an agent makes one where there is none. */
	readonly contextId?: string;
	/** The task that it belongs to, or goes on with. */
	readonly taskId?: string;
	readonly referenceTaskIds?: readonly string[];
	/** URIs of extensions. */
	readonly extensions?: readonly string[];
	readonly metadata?: JsonObject;
}

export interface A2aTaskStatus {
	readonly state: A2aTaskState;
	readonly message?: A2aMessage;
	/** RFC 3339. */
	readonly timestamp?: string;
}

/** Output of a task. */
export interface A2aArtifact {
	readonly artifactId: string;
	readonly name?: string;
	readonly description?: string;
	readonly parts: readonly A2aPart[];
	readonly extensions?: readonly string[];
	readonly metadata?: JsonObject;
}

export interface A2aTask {
	readonly id: string;
	readonly contextId: string;
	readonly status: A2aTaskStatus;
	readonly artifacts?: readonly A2aArtifact[];
	readonly history?: readonly A2aMessage[];
	readonly metadata?: JsonObject;
}

export interface A2aStatusUpdate {
	readonly taskId: string;
	readonly contextId: string;
	readonly status: A2aTaskStatus;
	readonly metadata?: JsonObject;
}

export interface A2aArtifactUpdate {
	readonly taskId: string;
	readonly contextId: string;
	readonly artifact: A2aArtifact;
	/**
	 * True where the parts are appended to those of an earlier artifact with the same id. Default false: the artifact
	 * is new or replaces an earlier one.
	 */
	readonly append?: boolean;
	readonly lastChunk?: boolean;
	readonly metadata?: JsonObject;
}

/** One thing that a stream, or a push notification, tells: exactly one of these. */
export type A2aStreamResponse =
	| { readonly task: A2aTask }
	| { readonly message: A2aMessage }
	| { readonly statusUpdate: A2aStatusUpdate }
	| { readonly artifactUpdate: A2aArtifactUpdate };

/** The answer to a message that is not streamed: exactly one of these. */
export type A2aSendResponse = { readonly task: A2aTask } | { readonly message: A2aMessage };

export interface A2aSendConfiguration {
	readonly acceptedOutputModes?: readonly string[];
	/** Webhook that the agent notifies about the task. */
	readonly taskPushNotificationConfig?: A2aPushConfigInput;
	/** Number of messages of the task to return; 0 for none. Default: the agent decides. */
	readonly historyLength?: number;
	/** Answers as soon as there is a task. Default false: when it has ended, or waits for something. */
	readonly returnImmediately?: boolean;
}

export interface A2aSendRequest {
	readonly tenant?: string;
	readonly message: A2aMessage;
	readonly configuration?: A2aSendConfiguration;
	readonly metadata?: JsonObject;
}

/** Webhook that is notified about a task, with an `A2aStreamResponse` in `application/a2a+json`. */
export interface A2aPushConfig extends A2aPushConfigInput {
	readonly id: string;
	readonly taskId: string;
}

export interface A2aPushConfigInput {
	readonly tenant?: string;
	/** Default: made by the agent. */
	readonly id?: string;
	readonly taskId?: string;
	readonly url: string;
	/** Goes along as `X-A2A-Notification-Token`, so that the receiver knows its own. */
	readonly token?: string;
	readonly authentication?: {
		/** `Bearer`, `Basic`: of HTTP's registry. */
		readonly scheme: string;
		readonly credentials?: string;
	};
}

export interface A2aListRequest {
	readonly tenant?: string;
	readonly contextId?: string;
	readonly status?: A2aTaskState;
	/** 1 to 100, default 50. */
	readonly pageSize?: number;
	readonly pageToken?: string;
	readonly historyLength?: number;
	/** RFC 3339: tasks whose status is of then or later. */
	readonly statusTimestampAfter?: string;
	/** Default false. */
	readonly includeArtifacts?: boolean;
}

export interface A2aTaskList {
	readonly tasks: readonly A2aTask[];
	/** Empty at the end. */
	readonly nextPageToken: string;
	readonly pageSize: number;
	readonly totalSize: number;
}

export interface A2aInterface {
	readonly url: string;
	/** `JSONRPC`, `HTTP+JSON`, `GRPC`, or one of the agent's own. */
	readonly protocolBinding: string;
	readonly protocolVersion: string;
	readonly tenant?: string;
}

export interface A2aSkill {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly tags: readonly string[];
	readonly examples?: readonly string[];
	readonly inputModes?: readonly string[];
	readonly outputModes?: readonly string[];
}

/** Description that an agent publishes of itself, at `/.well-known/agent-card.json`. */
export interface A2aAgentCard {
	readonly name: string;
	readonly description: string;
	readonly version: string;
	/** The first is preferred. */
	readonly supportedInterfaces: readonly A2aInterface[];
	readonly provider?: { readonly organization: string; readonly url: string };
	readonly documentationUrl?: string;
	readonly iconUrl?: string;
	readonly capabilities: {
		readonly streaming?: boolean;
		readonly pushNotifications?: boolean;
		readonly extendedAgentCard?: boolean;
		readonly extensions?: readonly {
			readonly uri: string;
			readonly description?: string;
			readonly required?: boolean;
			readonly params?: JsonObject;
		}[];
	};
	/** Media types. */
	readonly defaultInputModes: readonly string[];
	readonly defaultOutputModes: readonly string[];
	readonly skills: readonly A2aSkill[];
	readonly securitySchemes?: JsonObject;
	readonly securityRequirements?: readonly JsonObject[];
	readonly signatures?: readonly JsonObject[];
}

/** A protocol error by its number in JSON-RPC, as A2A 1.0 names it (section 5.4). */
export const A2A_ERRORS = {
	"-32700": "PARSE_ERROR",
	"-32600": "INVALID_REQUEST",
	"-32601": "METHOD_NOT_FOUND",
	"-32602": "INVALID_PARAMS",
	"-32603": "INTERNAL_ERROR",
	"-32001": "TASK_NOT_FOUND",
	"-32002": "TASK_NOT_CANCELABLE",
	"-32003": "PUSH_NOTIFICATION_NOT_SUPPORTED",
	"-32004": "UNSUPPORTED_OPERATION",
	"-32005": "CONTENT_TYPE_NOT_SUPPORTED",
	"-32006": "INVALID_AGENT_RESPONSE",
	"-32007": "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
	"-32008": "EXTENSION_SUPPORT_REQUIRED",
	"-32009": "VERSION_NOT_SUPPORTED",
} as const;

export type A2aErrorReason = (typeof A2A_ERRORS)[keyof typeof A2A_ERRORS];
