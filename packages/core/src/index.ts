export {
	AgentGraphError,
	type AgentGraphIssue,
	type AgentGraphIssueCode,
	ConfigurationError,
	type ConfigurationErrorOptions,
	formatPath,
	isStemmaError,
	RunFailedError,
	StemmaError,
	type StemmaErrorOptions,
} from "./errors";
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
	MAX_TOP_K,
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
} from "./graph/agent-graph";
export {
	type AgentComparison,
	compareAgents,
	type FieldChange,
	type PartChange,
	type PartChanges,
} from "./inspect/compare-agents";
export type { Compatibility, RunEnvironment } from "./inspect/environments";
export { type AgentInspection, inspectAgent, type NodeReach } from "./inspect/inspect-agent";
export type { ModelCallBound } from "./inspect/model-call-bound";
export type { TaintPath } from "./inspect/taint-paths";
export type { Json, JsonObject, JsonSchema } from "./json";
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
} from "./run/chat-model";
export { type Cost, sumCosts } from "./run/cost";
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
} from "./run/run-event";
export type { Conversation, ConversationMessage, TextPart } from "./run/run-input";
export {
	type Approval,
	type ApprovalDecision,
	type Citation,
	type PageBox,
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
} from "./run/run-result";
export type { RunStream } from "./run/run-stream";
export type { TraceContext } from "./run/trace-context";
export { defineAgent } from "./validate/define-agent";
export { type AgentValidation, validateAgent } from "./validate/validate-agent";
