export {
	type A2aAgentNode,
	type AgentEdge,
	type AgentGraph,
	type AgentNode,
	type BeforeEdge,
	type CallEdge,
	type CodeToolNode,
	type CoordinatorNode,
	DEFAULT_LIMITS,
	DEFAULT_MAX_TURNS,
	DEFAULT_TOP_K,
	type EdgeMode,
	type Guard,
	type HandoffEdge,
	isModelNode,
	type KnowledgeNode,
	type McpToolNode,
	type ModelChoice,
	type ModelNode,
	type NodeKind,
	type RemoteNode,
	type RunLimits,
	type SecretReference,
	type ServiceAgentNode,
	type SpecialistNode,
	type ThenEdge,
	type ToolNode,
} from "./agent-graph";
export type {
	ChatCallOptions,
	ChatEvent,
	ChatMessage,
	ChatModel,
	ChatOrigin,
	ChatOutput,
	ChatReply,
	ChatRequest,
	ChatSettings,
	ChatTool,
	ChatToolCall,
	ChatToolChoice,
	FinishReason,
	TokenUsage,
} from "./chat-model";
export { defineAgent } from "./define-agent";
export {
	AgentGraphError,
	type AgentGraphIssue,
	type AgentGraphIssueCode,
	ConfigurationError,
	formatPath,
	isStemmaError,
	RunFailedError,
	StemmaError,
	type StemmaErrorOptions,
} from "./errors";
export { type AgentInspection, inspectAgent, type NodeReach } from "./inspect-agent";
export type { Json, JsonObject, JsonSchema } from "./json";
export type { ModelCallBound } from "./model-call-bound";
export type {
	InvocationMode,
	NodeCompletedEvent,
	NodeFailedEvent,
	NodeStartedEvent,
	ReasoningDeltaEvent,
	RunEndEvent,
	RunEvent,
	RunPausedEvent,
	RunResumedEvent,
	RunStartedEvent,
	TextDeltaEvent,
	TextResetEvent,
	ToolCalledEvent,
	ToolSkippedEvent,
} from "./run-event";
export type { Conversation, ConversationMessage, TextPart } from "./run-input";
export type { Runnable, RunPlace } from "./run-places";
export {
	type Approval,
	type ApprovalDecision,
	type Citation,
	type Payer,
	type PayerSum,
	type Place,
	type ReceiptRow,
	type RunError,
	type RunResult,
	type RunStatus,
	type RunUsage,
	type Stage,
	sumByPayer,
} from "./run-result";
export type { RunStream } from "./run-stream";
export type { TraceContext } from "./trace-context";
export type { UntrustedToEffect } from "./untrusted-to-effect";
export { type AgentValidation, validateAgent } from "./validate-agent";
