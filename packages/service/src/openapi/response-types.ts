import type {
	AgentVersion,
	AgentVersionSummary,
	Answer,
	ApiClient,
	AskEvent,
	AuditRecord,
	Authorization,
	AuthorizationPreview,
	ChatCompletion,
	ChatCompletionChunk,
	ClientKey,
	CreatedApiClient,
	CreatedClientKey,
	CreatedInvitation,
	CreatedRunShare,
	CreatedThread,
	CreatedWorkspace,
	CurrentSession,
	DecidedAuthorization,
	Deleted,
	DeletedLlmSettings,
	DocumentUpload,
	Embeddings,
	ExportedFeedback,
	Feedback,
	FeedbackRecord,
	Invitation,
	KnowledgeBase,
	KnowledgeDocument,
	ListedModel,
	LlmProviders,
	LlmSettings,
	LlmSettingsTest,
	LlmStages,
	Member,
	MemberData,
	ModelList,
	Page,
	Passkey,
	PasskeyOptions,
	Reindex,
	ResolvedModels,
	RunRecord,
	RunShare,
	SavedLlmSettings,
	SearchResult,
	ServiceHealth,
	ServiceReadiness,
	ServiceWarning,
	SharedRun,
	SignedOut,
	SignInMethods,
	Source,
	SourceSync,
	StartedRun,
	StoredAgent,
	StoredAgentSummary,
	Thread,
	ThreadExport,
	ThreadMessageList,
	ThreadReference,
	UnsetLlmSettings,
	Usage,
	UserSession,
	UserWorkspaces,
	Workspace,
	WorkspaceSecret,
} from "@stemma/client";
import type { JsonObject, RunEvent, RunResult } from "@stemma/core";
import type { ErrorBody } from "@stemma/protocol";

/** One long poll of a run's events, as `EventPage` of `@stemma/client`. */
export interface RunEventPage {
	readonly data: readonly RunEvent[];
	/** The run has ended or paused, and these are its last events. */
	readonly done: boolean;
}

/** Result of a run whose request waited for it. */
export interface EndedRun extends RunResult, ThreadReference {
	/** Lets a client key read, rejoin and cancel the run. */
	readonly run_token: string;
}

/** Name of the service, for those who find its address. */
export interface ServiceName {
	readonly name: "Stemma";
	readonly version: string;
}

/** State of a service that cannot do its work now. */
export interface ServiceUnavailable {
	readonly status: "starting" | "stopping" | "unavailable";
	readonly version?: string;
	readonly warnings?: readonly ServiceWarning[];
}

/** Access token (RFC 6749, section 5.1). */
export interface AccessTokenResponse {
	readonly access_token: string;
	readonly token_type: "bearer";
	/** Seconds until it expires. */
	readonly expires_in: number;
	/** Scopes, separated by spaces. */
	readonly scope: string;
	/** Token for the next one; apps alone get one. */
	readonly refresh_token?: string;
}

/** Body of an error of OAuth (RFC 6749, section 5.2). */
export interface OAuthErrorBody {
	readonly error: string;
	readonly error_description?: string;
}

/**
 * Bodies of responses, by the names that routes describe them with. They are the types of `@stemma/client`: the OpenAPI document
 * makes its schemas of them, docstrings included, so that there is one description of each.
 */
export interface ResponseTypes {
	readonly AccessTokenResponse: AccessTokenResponse;
	readonly AgentVersion: AgentVersion;
	readonly AgentVersionPage: Page<AgentVersionSummary>;
	readonly Answer: Answer;
	readonly ApiClient: ApiClient;
	readonly ApiClientPage: Page<ApiClient>;
	readonly AskEvent: AskEvent;
	readonly AuditPage: Page<AuditRecord>;
	readonly AuthorizationPage: Page<Authorization>;
	readonly AuthorizationPreview: AuthorizationPreview;
	readonly ChatCompletion: ChatCompletion;
	readonly ChatCompletionChunk: ChatCompletionChunk;
	readonly ClientKey: ClientKey;
	readonly ClientKeyPage: Page<ClientKey>;
	readonly CreatedApiClient: CreatedApiClient;
	readonly CreatedClientKey: CreatedClientKey;
	readonly CreatedInvitation: CreatedInvitation;
	readonly CreatedRunShare: CreatedRunShare;
	readonly CreatedThread: CreatedThread;
	readonly CreatedWorkspace: CreatedWorkspace;
	readonly CurrentSession: CurrentSession;
	readonly CurrentLlmSettings: LlmSettings | UnsetLlmSettings;
	readonly DecidedAuthorization: DecidedAuthorization;
	readonly Deleted: Deleted;
	readonly DeletedLlmSettings: DeletedLlmSettings;
	readonly DocumentPage: Page<KnowledgeDocument>;
	readonly DocumentUpload: DocumentUpload;
	readonly Embeddings: Embeddings;
	readonly EndedRun: EndedRun;
	readonly Error: ErrorBody;
	readonly EventPage: RunEventPage;
	readonly ExportedFeedback: ExportedFeedback;
	/** JSON of a protocol that is described elsewhere. */
	readonly External: JsonObject;
	readonly Feedback: Feedback;
	readonly FeedbackPage: Page<FeedbackRecord>;
	readonly Invitation: Invitation;
	readonly InvitationPage: Page<Invitation>;
	readonly KnowledgeBase: KnowledgeBase;
	readonly KnowledgeBasePage: Page<KnowledgeBase>;
	readonly KnowledgeDocument: KnowledgeDocument;
	readonly ListedModel: ListedModel;
	readonly LlmProviders: LlmProviders;
	readonly LlmSettingsTest: LlmSettingsTest;
	readonly LlmStages: LlmStages;
	readonly Member: Member;
	readonly MemberData: MemberData;
	readonly MemberPage: Page<Member>;
	readonly ModelList: ModelList;
	readonly OAuthError: OAuthErrorBody;
	readonly Passkey: Passkey;
	readonly PasskeyOptions: PasskeyOptions;
	readonly PasskeyPage: Page<Passkey>;
	readonly Reindex: Reindex;
	readonly ResolvedModels: ResolvedModels;
	readonly RunPage: Page<RunRecord>;
	readonly RunRecord: RunRecord;
	readonly RunResult: RunResult;
	readonly RunSharePage: Page<RunShare>;
	readonly SavedLlmSettings: SavedLlmSettings;
	readonly SearchResult: SearchResult;
	readonly ServiceHealth: ServiceHealth;
	readonly ServiceName: ServiceName;
	readonly ServiceReadiness: ServiceReadiness;
	readonly ServiceUnavailable: ServiceUnavailable;
	readonly SharedRun: SharedRun;
	readonly SignInMethods: SignInMethods;
	readonly SignedOut: SignedOut;
	readonly Source: Source;
	readonly SourcePage: Page<Source>;
	readonly SourceSync: SourceSync;
	readonly SourceSyncPage: Page<SourceSync>;
	readonly StartedRun: StartedRun;
	readonly StoredAgent: StoredAgent;
	readonly StoredAgentPage: Page<StoredAgentSummary>;
	readonly Thread: Thread;
	readonly ThreadExport: ThreadExport;
	readonly ThreadMessageList: ThreadMessageList;
	readonly ThreadPage: Page<Thread>;
	readonly Usage: Usage;
	readonly UserSessionPage: Page<UserSession>;
	readonly UserWorkspaces: UserWorkspaces;
	readonly Workspace: Workspace;
	readonly WorkspacePage: Page<Workspace>;
	readonly WorkspaceSecret: WorkspaceSecret;
	readonly WorkspaceSecretPage: Page<WorkspaceSecret>;
	/** Event of a run, as `WireRunEvent` of `@stemma/client`. */
	readonly WireRunEvent: RunEvent;
}

/** Name of a body in the OpenAPI document. */
export type ResponseName = keyof ResponseTypes;
