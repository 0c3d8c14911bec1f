export type {
	AgentEdge,
	AgentGraph,
	AgentNode,
	Approval,
	Citation,
	Conversation,
	ConversationMessage,
	Json,
	JsonObject,
	Place,
	ReceiptRow,
	RunError,
	RunEvent,
	RunResult,
	RunStatus,
	RunUsage,
	TextPart,
} from "@stemma/core";
export { defineAgent } from "@stemma/core";
export {
	AgentGraphError,
	type AgentGraphIssue,
	ConfigurationError,
	isStemmaError,
	RunFailedError,
	StemmaError,
} from "@stemma/core/errors";
export { visibleText } from "@stemma/core/internal";
export {
	type AccessToken,
	type AuthorizedFetch,
	type AuthorizedFetchOptions,
	accessToken,
	authorizedFetch,
} from "./access-to-service";
export { type Agents, agents, type RunInput } from "./agents";
export {
	ApiError,
	type ApiErrorFields,
	AuthenticationError,
	ConflictError,
	InvalidRequestError,
	NotConfiguredError,
	NotFoundError,
	PermissionError,
	RateLimitError,
	ServerError,
} from "./api-errors";
export { type Ask, ask } from "./ask";
export type { AskStream } from "./ask-stream";
export { type Audit, type AuditListOptions, audit } from "./audit";
export type { CallOptions, Timeouts, WithRequestId } from "./call-options";
export { type ChatCompletions, chatCompletions } from "./chat-completions";
export type { OpenAnswer, RequestStream, ServiceRequest, StemmaClient, UploadProgress } from "./client";
export { type ClientKeys, clientKeys } from "./client-keys";
export { type Clients, clients } from "./clients";
export { createClient } from "./create-client";
export type { Documents } from "./documents";
export { type EmbeddingsApi, embeddings } from "./embeddings";
export { ConnectionError, DocumentFailedError, StreamError, TimeoutError, type TimeoutName } from "./errors";
export { type Health, health } from "./health";
export { type Knowledge, knowledge } from "./knowledge";
export type { Listing } from "./listing";
export { type LlmSettingsApi, llmSettings } from "./llm-settings";
export type {
	ClientKeyCredential,
	ClientOptions,
	ConnectionOptions,
	Logger,
	ServerCredential,
} from "./options";
export type { CheckedRunResult, OutputSchema } from "./output-schema";
export type { BodyReader, Fetch, FetchInit, FetchResponse } from "./platform";
export type { AgentRunStream } from "./run-stream";
export { type RunCallOptions, type RunFollowOptions, type RunListOptions, type Runs, runs } from "./runs";
export {
	type RuntimeAgents,
	type RuntimeFollowOptions,
	type RuntimeOptions,
	type RuntimeRuns,
	runtimeAgents,
} from "./runtime-agents";
export { type Search, search } from "./search";
export { Stemma } from "./stemma";
export type { AgentCreate, AgentReplace, StoredAgent, StoredAgentSummary } from "./types/agent";
export type { Answer, AskEvent, AskRequest, HistoryMessage } from "./types/ask";
export type { AuditAction, AuditRecord } from "./types/audit";
export type {
	ChatCompletion,
	ChatCompletionChunk,
	ChatCompletionContext,
	ChatCompletionFormat,
	ChatCompletionMessage,
	ChatCompletionRequest,
	ChatCompletionTool,
	ChatCompletionToolCall,
	ChatCompletionToolChoice,
	ChatCompletionUsage,
	ListedModel,
	ModelList,
} from "./types/chat";
export type {
	ClientKey,
	ClientKeyCreate,
	CreatedClientKey,
	CreatedServerClient,
	Scope,
	ServerClient,
	ServerClientCreate,
} from "./types/credential";
export type { Embeddings, EmbeddingsRequest } from "./types/embeddings";
export type { ServiceHealth, ServiceReadiness, ServiceWarning } from "./types/health";
export type {
	DocumentCounts,
	DocumentFormatName,
	DocumentListOptions,
	DocumentStatus,
	DocumentText,
	DocumentUpload,
	KnowledgeBase,
	KnowledgeBaseCreate,
	KnowledgeBaseUpdate,
	KnowledgeDocument,
} from "./types/knowledge";
export type { Deleted, Page, PageOptions } from "./types/page";
export type {
	ModelRefusal,
	NodeModelRequest,
	ResolvedModels,
	ResolvedNodeModel,
	ResolveModelsRequest,
} from "./types/resolve-models";
export type { ApprovalAnswer, EventPage, RunRecord, RunRequest, StartedRun, WireRunEvent } from "./types/run";
export type {
	RuntimeAgent,
	RuntimeAgentIssue,
	RuntimeAgentList,
	RuntimeHealth,
	RuntimeReadiness,
	RuntimeServiceStatus,
} from "./types/runtime";
export type { FoundPassage, SearchContext, SearchRequest, SearchResult } from "./types/search";
export type {
	DeletedLlmSettings,
	LlmProvider,
	LlmProviders,
	LlmSettings,
	LlmSettingsTest,
	LlmSettingsTrial,
	LlmSettingsUpdate,
	LlmStage,
	LlmStages,
	SavedLlmSettings,
	UnsetLlmSettings,
} from "./types/settings";
export type { StorageUse, Usage, UsageQuery, UsageRow } from "./types/usage";
export type {
	CreatedWorkspace,
	Workspace,
	WorkspaceCreate,
	WorkspaceProblem,
	WorkspaceUpdate,
} from "./types/workspace";
export type {
	WorkspaceSecret,
	WorkspaceSecretUpdate,
} from "./types/workspace-secret";
export type { FileContent, LazyContent, NativeFile, StreamedContent } from "./upload-content";
export type { UploadOptions } from "./upload-documents";
export type { SeveralUploads, SingleUpload, UploadFile, UploadRequest } from "./upload-request";
export { type ReadUsage, usage } from "./usage";
export type { WaitOptions, WaitProgress } from "./wait-for-documents";
export { type WorkspaceSecrets, workspaceSecrets } from "./workspace-secrets";
export { type Workspaces, workspaces } from "./workspaces";
