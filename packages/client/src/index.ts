export type {
	AgentEdge,
	AgentGraph,
	AgentNode,
	Approval,
	Citation,
	Conversation,
	ConversationMessage,
	Cost,
	Json,
	JsonObject,
	PageBox,
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
export { toExactJson, visibleText } from "@stemma/core/internal";
export {
	type AccessToken,
	type AuthorizedFetch,
	type AuthorizedFetchOptions,
	accessToken,
	authorizedFetch,
} from "./auth/authorized-fetch";
export type { OpenResponse, RequestStream, ServiceRequest, StemmaClient, UploadProgress } from "./client";
export { createClient } from "./create-client";
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
} from "./errors/api-errors";
export {
	ConnectionError,
	DocumentFailedError,
	StreamError,
	TimeoutError,
	type TimeoutName,
} from "./errors/errors";
export type { BodyReader, Fetch, FetchInit, FetchResponse } from "./http/platform";
export type { CallOptions, Timeouts, WithRequestId } from "./options/call-options";
export type {
	ClientKeyCredential,
	ClientOptions,
	ClientSecretCredential,
	ConnectionOptions,
	Logger,
	SessionCredential,
} from "./options/client-options";
export type { CheckedRunResult, OutputSchema } from "./options/output-schema";
export type { AgentVersions } from "./resources/agent-versions";
export { type Agents, agents } from "./resources/agents";
export { type ApiClients, apiClients } from "./resources/api-clients";
export { type AnswerCallOptions, type Ask, ask } from "./resources/ask";
export { type Audit, type AuditListOptions, audit } from "./resources/audit";
export { type ClientKeys, clientKeys } from "./resources/client-keys";
export { type FeedbackApi, feedback } from "./resources/feedback";
export { type Health, health } from "./resources/health";
export type { Documents } from "./resources/knowledge/documents";
export { type Knowledge, knowledge } from "./resources/knowledge/knowledge";
export type { Reindexes } from "./resources/knowledge/reindexes";
export { type Search, search } from "./resources/knowledge/search";
export type { Sources } from "./resources/knowledge/sources";
export { type ChatCompletions, chatCompletions } from "./resources/models/chat-completions";
export { type EmbeddingsApi, embeddings } from "./resources/models/embeddings";
export { type LlmSettingsApi, llmSettings } from "./resources/models/llm-settings";
export type { PaginatedList } from "./resources/paginated-list";
export {
	type AuthorizationListOptions,
	type Authorizations,
	authorizations,
} from "./resources/people/authorizations";
export { type Invitations, invitations } from "./resources/people/invitations";
export { type MemberListOptions, type Members, members } from "./resources/people/members";
export type { PasskeyListOptions, Passkeys } from "./resources/people/passkeys";
export { type Session, type SessionListOptions, session } from "./resources/people/session";
export type { RunMethod } from "./resources/run-agent";
export { type RunShareListOptions, type RunShares, runShares } from "./resources/run-shares";
export {
	type RunCallOptions,
	type RunFollowOptions,
	type RunListOptions,
	type Runs,
	runs,
} from "./resources/runs";
export {
	type RuntimeAgents,
	type RuntimeFollowOptions,
	type RuntimeOptions,
	type RuntimeRuns,
	runtimeAgents,
} from "./resources/runtime-agents";
export type { ThreadCallOptions } from "./resources/thread-token";
export {
	type ThreadListOptions,
	type ThreadMessagesOptions,
	type Threads,
	threads,
} from "./resources/threads";
export { type ReadUsage, usage } from "./resources/usage";
export { type WorkspaceSecrets, workspaceSecrets } from "./resources/workspace-secrets";
export { type Workspaces, workspaces } from "./resources/workspaces";
export { Stemma } from "./stemma";
export type { AskStream } from "./streams/ask-stream";
export type { AgentRunStream } from "./streams/run-stream";
export type {
	AgentCreate,
	AgentReplace,
	AgentRestore,
	AgentVersion,
	AgentVersionSummary,
	StoredAgent,
	StoredAgentSummary,
} from "./types/agent";
export type { Answer, AskEvent, AskRegeneration, AskRequest, HistoryMessage } from "./types/ask";
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
	ListedAnswerSource,
	ListedModel,
	ListedModelSource,
	ModelList,
} from "./types/chat";
export type {
	ApiClient,
	ApiClientCreate,
	ClientKey,
	ClientKeyCreate,
	CreatedApiClient,
	CreatedClientKey,
	Scope,
} from "./types/credential";
export type { Embeddings, EmbeddingsRequest } from "./types/embeddings";
export type {
	ExportedFeedback,
	Feedback,
	FeedbackFilter,
	FeedbackListOptions,
	FeedbackPassage,
	FeedbackRating,
	FeedbackRecord,
	FeedbackRequest,
} from "./types/feedback";
export type { ServiceHealth, ServiceReadiness, ServiceWarning } from "./types/health";
export type {
	DocumentCounts,
	DocumentFile,
	DocumentFormatName,
	DocumentListOptions,
	DocumentStatus,
	DocumentText,
	DocumentUpload,
	ExternalFormatName,
	FileRange,
	KnowledgeBase,
	KnowledgeBaseCreate,
	KnowledgeBaseUpdate,
	KnowledgeDocument,
	PinnedEmbedding,
	ReadText,
	TextFormatName,
	TextRange,
} from "./types/knowledge/knowledge";
export type {
	Reindex,
	ReindexCounts,
	ReindexPlan,
	ReindexRequest,
	ReindexSpace,
} from "./types/knowledge/reindex";
export type {
	FoundPassage,
	PassageCopy,
	SearchContext,
	SearchRequest,
	SearchResult,
} from "./types/knowledge/search";
export type {
	FolderSourceSettings,
	GitSourceSettings,
	PushSourceSettings,
	S3SourceSettings,
	SiteSourceSettings,
	Source,
	SourceCreate,
	SourceDeleteOptions,
	SourceIssue,
	SourcePatterns,
	SourceSettings,
	SourceSync,
	SourceSyncCounts,
	SourceSyncOptions,
	SourceSyncStatus,
	SourceUpdate,
	UrlSourceSettings,
} from "./types/knowledge/source";
export type { Deleted, Page, PageOptions } from "./types/page";
export type {
	Authorization,
	AuthorizationDecision,
	AuthorizationPreview,
	AuthorizationRequest,
	DecidedAuthorization,
} from "./types/people/authorization";
export type { MemberData } from "./types/people/member-data";
export type {
	Passkey,
	PasskeyCreate,
	PasskeyOptions,
	PasskeySignIn,
	PasskeyUpdate,
} from "./types/people/passkey";
export type {
	CreatedInvitation,
	CurrentSession,
	Invitation,
	InvitationCreate,
	Inviter,
	LimitedAccess,
	Member,
	MemberAccess,
	MemberUpdate,
	Role,
	SignedOut,
	SignInRequest,
	SwitchWorkspaceRequest,
	User,
	UserSession,
	UserWorkspace,
	UserWorkspaces,
} from "./types/people/people";
export type { SignInIssuer, SignInMethods } from "./types/people/sign-in";
export type {
	ModelRefusal,
	NodeModelRequest,
	ResolvedModels,
	ResolvedNodeModel,
	ResolveModelsRequest,
	StatedPrice,
} from "./types/resolve-models";
export type {
	AgentRunInput,
	ApprovalDecisionRequest,
	EventPage,
	RunInput,
	RunRecord,
	RunRegeneration,
	RunRequest,
	StartedRun,
	ThreadRunInput,
	WireRunEvent,
} from "./types/run";
export type {
	CreatedRunShare,
	RunShare,
	RunShareCreate,
	RunShareField,
	SharedCitation,
	SharedRun,
	SharedRunError,
	SharedRunStep,
} from "./types/run-share";
export type {
	RuntimeAgent,
	RuntimeAgentIssue,
	RuntimeAgentList,
	RuntimeHealth,
	RuntimeReadiness,
	RuntimeServiceStatus,
} from "./types/runtime";
export type {
	DeletedLlmSettings,
	LlmProvider,
	LlmProviders,
	LlmSettings,
	LlmSettingsTest,
	LlmSettingsTestRequest,
	LlmSettingsUpdate,
	LlmStage,
	LlmStages,
	SavedLlmSettings,
	UnsetLlmSettings,
} from "./types/settings";
export type {
	CreatedThread,
	Regeneration,
	Thread,
	ThreadCreate,
	ThreadExport,
	ThreadMessage,
	ThreadMessageList,
	ThreadPlace,
	ThreadReference,
	ThreadUpdate,
} from "./types/thread";
export type { StorageUsage, Usage, UsageCost, UsageQuery, UsageRow } from "./types/usage";
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
export type { FileContent, LazyContent, NativeFile, StreamedContent } from "./uploads/upload-content";
export type { UploadOptions } from "./uploads/upload-documents";
export type { SeveralUploads, SingleUpload, UploadFile, UploadRequest } from "./uploads/upload-request";
export type { WaitOptions, WaitProgress } from "./uploads/wait-for-documents";
