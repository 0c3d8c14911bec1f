// Types of the OpenAPI documents, which `npm run openapi` writes. `client-types.ts` compares the client's with them.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly AgentGraphIssue: {
            readonly code: components["schemas"]["AgentGraphIssueCode"];
            readonly message: string;
            readonly path: readonly (string | number)[];
        };
        /** @enum {string} */
        readonly AgentGraphIssueCode: "empty_graph" | "coordinator_count" | "duplicate_node_id" | "unknown_node" | "self_loop" | "duplicate_edge" | "edge_not_allowed" | "endless_cycle" | "schema_too_costly" | "invalid_shape";
        readonly Approval: {
            readonly id: string;
            readonly node: string;
            readonly tool: string;
            readonly arguments: components["schemas"]["JsonObject"];
            readonly expires_at: string;
        };
        readonly ApprovalDecisionRequest: {
            /** @enum {string} */
            readonly decision: "approve" | "deny";
            readonly reason?: string;
        };
        readonly Citation: {
            readonly n: number;
            readonly passage_id: string;
            readonly document_id: string;
            readonly title: string;
            readonly source?: string | null;
            readonly url?: string;
            readonly metadata?: components["schemas"]["JsonObject"];
            readonly place: components["schemas"]["Place"];
            readonly text: string;
            /** @enum {string} */
            readonly support: "quoted" | "supported" | "weak";
            readonly weak_claims?: readonly string[];
            readonly document_url?: string;
        };
        readonly Conversation: {
            readonly messages: readonly components["schemas"]["ConversationMessage"][];
        };
        readonly ConversationMessage: {
            /** @enum {string} */
            readonly role: "user" | "assistant";
            readonly content: string | readonly components["schemas"]["TextPart"][];
        };
        readonly Cost: {
            readonly currency: string;
            readonly amount: string;
        };
        /** @enum {string} */
        readonly EdgeMode: "call" | "handoff" | "before" | "then";
        readonly Error: components["schemas"]["ErrorBody"];
        readonly ErrorBody: {
            readonly error: {
                readonly code: string;
                readonly type?: string;
                readonly message: string;
                readonly param?: string;
                readonly hint?: string;
                readonly request_id: string;
                readonly details?: components["schemas"]["JsonObject"];
            };
        };
        readonly EventPage: components["schemas"]["RunEventPage"];
        readonly External: components["schemas"]["JsonObject"];
        readonly InvocationMode: "start" | components["schemas"]["EdgeMode"];
        readonly Json: unknown;
        readonly JsonObject: {
            readonly [key: string]: components["schemas"]["Json"];
        };
        readonly NodeCompletedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "node.completed";
            readonly output: components["schemas"]["Json"];
            readonly usage: components["schemas"]["RunUsage"];
            readonly ms: number;
            readonly truncated?: boolean;
        };
        readonly NodeFailedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "node.failed";
            readonly error: components["schemas"]["RunError"];
            readonly ms: number;
        };
        /** @enum {string} */
        readonly NodeKind: "coordinator" | "agent" | "knowledge" | "tool" | "remote";
        readonly NodeStartedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "node.started";
            readonly kind: components["schemas"]["NodeKind"];
            readonly mode: components["schemas"]["InvocationMode"];
            readonly input: components["schemas"]["Json"];
        };
        readonly PageBox: {
            readonly page: number;
            readonly x: number;
            readonly y: number;
            readonly width: number;
            readonly height: number;
        };
        /** @enum {string} */
        readonly Payer: "workspace" | "deployment" | "none" | "external";
        readonly Place: {
            readonly page?: number;
            readonly boxes?: readonly components["schemas"]["PageBox"][];
            readonly sheet?: string;
            readonly cells?: string;
            readonly slide?: number;
            readonly chapter?: string;
            readonly part?: string;
            readonly heading?: string;
            readonly start: number;
            readonly end: number;
        };
        readonly ReasoningDeltaEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "reasoning.delta";
            readonly text: string;
        };
        readonly ReceiptRow: {
            readonly stage: components["schemas"]["Stage"];
            readonly node?: string;
            readonly run_id?: string;
            readonly payer: components["schemas"]["Payer"];
            readonly provider: string;
            readonly vendor_host: string;
            readonly model: string;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly cached_tokens?: number;
            readonly estimated?: boolean;
            readonly cost?: components["schemas"]["Cost"];
            readonly ms: number;
            readonly attempts: number;
            readonly reason: string;
        };
        readonly RunEndEvent: {
            /** @constant */
            readonly type: "run.completed";
            readonly result: components["schemas"]["RunResult"];
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
        } | {
            /** @constant */
            readonly type: "run.failed";
            readonly error: components["schemas"]["RunError"];
            readonly result: components["schemas"]["RunResult"];
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
        } | {
            /** @constant */
            readonly type: "run.cancelled";
            readonly result: components["schemas"]["RunResult"];
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
        };
        readonly RunError: {
            readonly code: string;
            readonly message: string;
            readonly hint?: string;
            readonly param?: string;
            readonly request_id?: string;
            readonly details?: components["schemas"]["JsonObject"];
        };
        readonly RunEvent: components["schemas"]["RunStartedEvent"] | components["schemas"]["NodeStartedEvent"] | components["schemas"]["TextDeltaEvent"] | components["schemas"]["TextResetEvent"] | components["schemas"]["ReasoningDeltaEvent"] | components["schemas"]["ToolCalledEvent"] | components["schemas"]["ToolSkippedEvent"] | components["schemas"]["NodeCompletedEvent"] | components["schemas"]["NodeFailedEvent"] | components["schemas"]["RunPausedEvent"] | components["schemas"]["RunResumedEvent"] | components["schemas"]["RunEndEvent"];
        readonly RunEventPage: {
            readonly data: readonly components["schemas"]["RunEvent"][];
            readonly done: boolean;
        };
        readonly RunPausedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            /** @constant */
            readonly type: "run.paused";
            readonly result: components["schemas"]["RunResult"];
        };
        readonly RunRecord: {
            readonly thread_id?: string;
            readonly message_id?: string;
            readonly id: string;
            readonly run_id: string;
            readonly agent_id: string;
            readonly agent_slug: string;
            readonly agent_version: number;
            readonly status: "running" | components["schemas"]["RunStatus"];
            readonly background: boolean;
            readonly user_id?: string;
            readonly created_at: string;
            readonly ended_at: string | null;
            readonly last_seq: number;
            readonly input?: components["schemas"]["Json"];
            readonly context?: components["schemas"]["JsonObject"];
            readonly result?: components["schemas"]["RunResult"];
        };
        readonly RunResult: {
            readonly run_id: string;
            readonly status: components["schemas"]["RunStatus"];
            readonly output: components["schemas"]["Json"];
            readonly citations: readonly components["schemas"]["Citation"][];
            readonly unknown_citations?: readonly number[];
            readonly usage: components["schemas"]["RunUsage"];
            readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            readonly approvals?: readonly components["schemas"]["Approval"][];
            readonly error?: components["schemas"]["RunError"];
        };
        readonly RunResumedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            /** @constant */
            readonly type: "run.resumed";
        };
        readonly RunStartedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            /** @constant */
            readonly type: "run.started";
            readonly agent?: string;
            readonly run_token?: string;
            readonly thread_id?: string;
            readonly message_id?: string;
        };
        /** @enum {string} */
        readonly RunStatus: "completed" | "failed" | "cancelled" | "paused";
        readonly RunUsage: {
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly model_calls: number;
            readonly steps: number;
        };
        readonly RuntimeAgent: {
            readonly id: string;
            /** @enum {string} */
            readonly form: "graph" | "manifest";
            readonly name: string | null;
            readonly description: string | null;
            /** @enum {string} */
            readonly status: "ready" | "invalid";
            readonly issues?: readonly (components["schemas"]["AgentGraphIssue"] | components["schemas"]["RuntimeAgentIssue"])[];
            readonly warnings?: readonly components["schemas"]["RuntimeAgentIssue"][];
            readonly file: string;
            readonly version: string;
        };
        readonly RuntimeAgentIssue: {
            readonly code: string;
            readonly message: string;
            readonly path: readonly (string | number)[];
        };
        readonly RuntimeAgentList: {
            readonly data: readonly components["schemas"]["RuntimeAgent"][];
        };
        readonly RuntimeHealth: {
            /** @constant */
            readonly status: "ok";
            readonly version: string;
            readonly agents: {
                readonly ready: number;
                readonly invalid: number;
            };
            readonly service?: components["schemas"]["RuntimeServiceStatus"];
        };
        readonly RuntimeReadiness: {
            /** @constant */
            readonly status: "ready";
            readonly version: string;
            readonly agents: {
                readonly ready: number;
                readonly invalid: number;
            };
            /** @enum {string} */
            readonly service: "ok" | "none";
        };
        readonly RuntimeRunRequest: {
            readonly input: components["schemas"]["Json"] | components["schemas"]["Conversation"];
            readonly context?: components["schemas"]["JsonObject"];
            readonly stream?: boolean;
        };
        /** @enum {string} */
        readonly RuntimeServiceStatus: "none" | "unchecked" | "ok" | "refused" | "unavailable";
        /** @enum {string} */
        readonly Stage: "rewrite" | "embed" | "score" | "answer" | "index";
        readonly TextDeltaEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "text.delta";
            readonly text: string;
            readonly final: boolean;
        };
        readonly TextPart: {
            /** @constant */
            readonly type: "text";
            readonly text: string;
        };
        readonly TextResetEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "text.reset";
        };
        readonly ToolCalledEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "tool.called";
            readonly callee: string;
            readonly call_id: string;
            readonly arguments: components["schemas"]["JsonObject"];
        };
        readonly ToolSkippedEvent: {
            readonly run_id: string;
            readonly seq: number;
            readonly at: string;
            readonly node: string;
            readonly invocation: number;
            readonly parent?: number;
            /** @constant */
            readonly type: "tool.skipped";
            readonly callee: string;
            readonly call_id: string;
            readonly reason: string;
        };
        readonly WireRunEvent: components["schemas"]["RunEvent"];
        readonly "postRunByAgentId.body": components["schemas"]["RuntimeRunRequest"];
        readonly "postRunByAgentIdAgUi.body": components["schemas"]["External"];
        readonly "postRunByAgentIdUi.body": components["schemas"]["External"];
        readonly "postRunsByIdApprovalsByApprovalId.body": {
            /** @enum {string} */
            readonly decision: "approve" | "deny";
            readonly reason?: string;
        };
        readonly "getRunsByIdEvents.query": {
            readonly wait_ms?: string;
            readonly after?: string;
        };
        readonly A2aAgentNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            /** @constant */
            readonly kind: "remote";
            readonly auth?: components["schemas"]["SecretReference"];
            readonly approval?: boolean;
            readonly url: string;
        };
        readonly AccessTokenResponse: {
            readonly access_token: string;
            /** @constant */
            readonly token_type: "bearer";
            readonly expires_in: number;
            readonly scope: string;
            readonly refresh_token?: string;
        };
        readonly AgentEdge_string: components["schemas"]["CallEdge_string"] | components["schemas"]["HandoffEdge_string"] | components["schemas"]["BeforeEdge_string"] | components["schemas"]["ThenEdge_string"];
        readonly AgentGraph: {
            readonly $schema?: string;
            readonly name?: string;
            readonly description?: string;
            readonly nodes: readonly components["schemas"]["AgentNode_string"][];
            readonly edges?: readonly components["schemas"]["AgentEdge_string"][];
            readonly limits?: components["schemas"]["RunLimits"];
        };
        readonly AgentNode_string: components["schemas"]["CoordinatorNode_string"] | components["schemas"]["SpecialistNode_string"] | components["schemas"]["KnowledgeNode_string"] | components["schemas"]["ToolNode_string"] | components["schemas"]["RemoteNode_string"];
        readonly AgentVersion: {
            readonly agent_id: string;
            readonly number: number;
            readonly name: string | null;
            readonly note: string | null;
            readonly created_by: string | null;
            readonly restored_from: number | null;
            readonly created_at: string;
            readonly graph: components["schemas"]["AgentGraph"];
        };
        readonly AgentVersionPage: {
            readonly data: readonly components["schemas"]["AgentVersionSummary"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly AgentVersionSummary: {
            readonly agent_id: string;
            readonly number: number;
            readonly name: string | null;
            readonly note: string | null;
            readonly created_by: string | null;
            readonly restored_from: number | null;
            readonly created_at: string;
        };
        readonly Answer: {
            readonly thread_id?: string;
            readonly message_id?: string;
            readonly answer: string;
            readonly answer_id?: string;
            readonly answer_token?: string;
            readonly citations: readonly components["schemas"]["Citation"][];
            readonly unknown_citations?: readonly number[];
            readonly passages: readonly components["schemas"]["FoundPassage"][];
            readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            readonly usage: components["schemas"]["RunUsage"];
            readonly more_knowledge_bases?: boolean;
            /** @enum {string} */
            readonly refused?: "no_relevant_passages" | "no_answer_in_passages";
            readonly warnings?: readonly ("no_citations" | "other_language" | "instructions_removed")[];
        };
        readonly ApiClient: {
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly components["schemas"]["Scope"][];
            readonly created_at: string;
        };
        readonly ApiClientPage: {
            readonly data: readonly components["schemas"]["ApiClient"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly AskEvent: {
            /** @constant */
            readonly type: "ask.passages";
            readonly seq: number;
            readonly passages: readonly components["schemas"]["FoundPassage"][];
        } | {
            /** @constant */
            readonly type: "text.delta";
            readonly seq: number;
            readonly text: string;
        } | {
            /** @constant */
            readonly type: "text.reset";
            readonly seq: number;
        } | {
            /** @constant */
            readonly type: "ask.completed";
            readonly seq: number;
            readonly answer: components["schemas"]["Answer"];
        } | {
            /** @constant */
            readonly type: "ask.failed";
            readonly seq: number;
            readonly error: components["schemas"]["RunError"];
        };
        /** @enum {string} */
        readonly AuditAction: "llm_settings.set" | "llm_settings.tested" | "llm_settings.cleared" | "secret.set" | "secret.deleted" | "client.created" | "client.rotated" | "client.deleted" | "client_key.created" | "client_key.deleted" | "member.signed_in" | "member.updated" | "member.removed" | "member.exported" | "member.erased" | "invitation.created" | "invitation.revoked" | "session.ended" | "passkey.created" | "passkey.renamed" | "passkey.deleted" | "authorization.created" | "authorization.ended" | "run_share.created" | "run_share.revoked" | "workspace.created" | "workspace.renamed" | "workspace.deleted" | "knowledge_base.models_changed" | "knowledge_base.access_changed" | "agent.access_changed" | "knowledge_base.reindex_started" | "knowledge_base.reindex_completed" | "knowledge_base.reindex_dropped" | "source.created" | "source.updated" | "source.deleted" | "approval.approved" | "approval.denied" | "credentials.resealed" | "credentials.abandoned";
        readonly AuditPage: {
            readonly data: readonly components["schemas"]["AuditRecord"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly AuditRecord: {
            readonly id: string;
            readonly at: string;
            readonly action: components["schemas"]["AuditAction"];
            readonly actor: string;
            readonly target: string;
            readonly details: components["schemas"]["JsonObject"];
            readonly request_id: string | null;
        };
        readonly Authorization: {
            readonly id: string;
            readonly user_id: string;
            readonly client: {
                readonly id: string;
                readonly name: string;
            };
            readonly redirect_host: string | null;
            readonly scopes: readonly components["schemas"]["Scope"][];
            readonly resource: string;
            readonly created_at: string;
            readonly last_used_at: string;
        };
        readonly AuthorizationPage: {
            readonly data: readonly components["schemas"]["Authorization"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly AuthorizationPreview: {
            readonly client: {
                readonly id: string;
                readonly name: string;
                readonly host: string | null;
            };
            readonly redirect_host: string | null;
            readonly scopes: readonly components["schemas"]["Scope"][];
            readonly resource: string;
            readonly workspace: {
                readonly id: string;
                readonly name: string;
            };
        };
        readonly BeforeEdge_string: {
            readonly from: string;
            readonly to: string;
            /** @constant */
            readonly mode: "before";
        };
        readonly CallEdge_string: {
            readonly from: string;
            readonly to: string;
            /** @constant */
            readonly mode?: "call";
            readonly maxCalls?: number;
        };
        readonly ChatCompletion: {
            readonly id: string;
            /** @constant */
            readonly object: "chat.completion";
            readonly created: number;
            readonly model: string;
            readonly choices: readonly {
                readonly index: number;
                readonly message: {
                    /** @constant */
                    readonly role: "assistant";
                    readonly content: string | null;
                    readonly reasoning_content?: string;
                    readonly tool_calls?: readonly components["schemas"]["ChatCompletionToolCall"][];
                };
                readonly finish_reason: string | null;
            }[];
            readonly usage?: components["schemas"]["ChatCompletionUsage"] | null;
            readonly stemma?: {
                readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            };
        };
        readonly ChatCompletionChunk: {
            readonly id: string;
            /** @constant */
            readonly object: "chat.completion.chunk";
            readonly created: number;
            readonly model: string;
            readonly choices: readonly {
                readonly index: number;
                readonly delta: {
                    readonly content?: string | null;
                    readonly reasoning_content?: string | null;
                    readonly tool_calls?: readonly {
                        readonly index: number;
                        readonly id?: string;
                        readonly function?: {
                            readonly name?: string;
                            readonly arguments?: string;
                        };
                        readonly extra_content?: {
                            readonly stemma: components["schemas"]["Json"];
                        };
                    }[];
                };
                readonly finish_reason?: string | null;
            }[];
            readonly usage?: components["schemas"]["ChatCompletionUsage"] | null;
            readonly stemma?: {
                readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            };
        };
        readonly ChatCompletionToolCall: {
            readonly id: string;
            /** @constant */
            readonly type: "function";
            readonly function: {
                readonly name: string;
                readonly arguments: string;
            };
            readonly extra_content?: {
                readonly stemma: components["schemas"]["Json"];
            };
        };
        readonly ChatCompletionUsage: {
            readonly prompt_tokens: number;
            readonly completion_tokens: number;
            readonly total_tokens?: number;
            readonly prompt_tokens_details?: {
                readonly cached_tokens?: number;
            } | null;
        };
        readonly ClientKey: {
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly ("ask" | "agents:run")[];
            readonly origins: readonly string[];
            readonly native: boolean;
            readonly agents: readonly string[] | null;
            readonly knowledge_base_ids: readonly string[] | null;
            readonly requests_per_minute: number;
            readonly tokens_per_day: number;
            readonly models: boolean;
            /** @enum {string} */
            readonly expose: "answer" | "trace";
            readonly created_at: string;
        };
        readonly ClientKeyPage: {
            readonly data: readonly components["schemas"]["ClientKey"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly CodeToolNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            /** @constant */
            readonly kind: "tool";
            readonly tool: string;
            readonly arguments?: components["schemas"]["JsonObject"];
            readonly approval?: boolean;
        };
        readonly CoordinatorNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            readonly instructions?: string;
            readonly model?: components["schemas"]["ModelChoice"];
            readonly output?: components["schemas"]["JsonSchema"];
            readonly maxTurns?: number;
            /** @constant */
            readonly kind: "coordinator";
        };
        readonly CreatedApiClient: {
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly components["schemas"]["Scope"][];
            readonly created_at: string;
            readonly client_secret: string;
        };
        readonly CreatedClientKey: {
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly ("ask" | "agents:run")[];
            readonly origins: readonly string[];
            readonly native: boolean;
            readonly agents: readonly string[] | null;
            readonly knowledge_base_ids: readonly string[] | null;
            readonly requests_per_minute: number;
            readonly tokens_per_day: number;
            readonly models: boolean;
            /** @enum {string} */
            readonly expose: "answer" | "trace";
            readonly created_at: string;
            readonly client_key: string;
        };
        readonly CreatedInvitation: {
            readonly id: string;
            readonly email: string;
            readonly role: components["schemas"]["Role"];
            readonly invited_by: string;
            readonly created_at: string;
            readonly expires_at: string;
            readonly link: string;
        };
        readonly CreatedRunShare: {
            readonly id: string;
            readonly run_id: string;
            readonly fields: readonly components["schemas"]["RunShareField"][];
            readonly created_by: string;
            readonly created_at: string;
            readonly expires_at: string;
            readonly views: number;
            readonly link: string;
            readonly token: string;
        };
        readonly CreatedThread: {
            readonly id: string;
            readonly title: string | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            readonly owner: {
                /** @enum {string} */
                readonly kind: "client" | "client_key" | "user";
                readonly id: string;
            };
            readonly agent_id: string | null;
            readonly created_at: string;
            readonly updated_at: string;
            readonly message_count: number;
            readonly active_run_id: string | null;
            readonly token?: string;
        };
        readonly CreatedWorkspace: {
            readonly id: string;
            readonly name: string;
            readonly created_at: string;
            /** @enum {string} */
            readonly status: "available" | "unavailable";
            readonly storage_bytes?: number;
            readonly problem?: components["schemas"]["WorkspaceProblem"];
            readonly client_id: string;
            readonly client_secret: string;
            readonly client_key: string;
        };
        readonly CurrentLlmSettings: components["schemas"]["LlmSettings"] | components["schemas"]["UnsetLlmSettings"];
        readonly CurrentSession: {
            readonly id: string;
            readonly user: components["schemas"]["User"];
            readonly workspace: {
                readonly id: string;
                readonly name: string;
            };
            readonly role: components["schemas"]["Role"];
            readonly scopes: readonly components["schemas"]["Scope"][];
            readonly invited_by: components["schemas"]["Inviter"] | null;
            readonly expires_at: string;
        };
        readonly DecidedAuthorization: {
            readonly redirect_to: string;
        };
        readonly Deleted: {
            readonly id: string;
            /** @constant */
            readonly deleted: true;
        };
        readonly DeletedLlmSettings: {
            readonly deleted: boolean;
        };
        readonly DocumentCounts: {
            readonly total: number;
            readonly queued: number;
            readonly processing: number;
            readonly ready: number;
            readonly failed: number;
        };
        readonly DocumentFormatName: components["schemas"]["TextFormatName"] | components["schemas"]["ExternalFormatName"] | "pdf" | "docx" | "pptx" | "odt" | "odp" | "rtf" | "xlsx" | "ods" | "eml" | "msg" | "mhtml" | "epub" | "image";
        readonly DocumentPage: {
            readonly data: readonly components["schemas"]["KnowledgeDocument"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        /** @enum {string} */
        readonly DocumentStatus: "queued" | "processing" | "ready" | "failed";
        readonly DocumentUpload: {
            readonly data: readonly components["schemas"]["KnowledgeDocument"][];
        };
        readonly Embeddings: {
            /** @constant */
            readonly object: "list";
            readonly model: string;
            readonly data: readonly {
                /** @constant */
                readonly object: "embedding";
                readonly index: number;
                readonly embedding: readonly number[] | string;
            }[];
            readonly usage: {
                readonly prompt_tokens: number;
                readonly total_tokens: number;
            };
            readonly stemma?: {
                readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            };
        };
        readonly EndedRun: {
            readonly thread_id?: string;
            readonly message_id?: string;
            readonly run_id: string;
            readonly status: components["schemas"]["RunStatus"];
            readonly output: components["schemas"]["Json"];
            readonly citations: readonly components["schemas"]["Citation"][];
            readonly unknown_citations?: readonly number[];
            readonly usage: components["schemas"]["RunUsage"];
            readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            readonly approvals?: readonly components["schemas"]["Approval"][];
            readonly error?: components["schemas"]["RunError"];
            readonly run_token: string;
        };
        readonly ExportedFeedback: {
            readonly id: string;
            readonly run_id: string | null;
            readonly answer_id: string | null;
            readonly rating: components["schemas"]["FeedbackRating"];
            readonly comment: string | null;
            readonly tags: readonly string[];
            readonly created_at: string;
            readonly updated_at: string;
            readonly sent_by: string;
            readonly agent_id: string | null;
            readonly agent_slug: string | null;
            readonly agent_version: number | null;
            readonly question: string;
            readonly answer: components["schemas"]["Json"];
            readonly history: readonly components["schemas"]["ConversationMessage"][];
            readonly citations: readonly components["schemas"]["Citation"][];
            readonly passages: readonly components["schemas"]["FeedbackPassage"][];
        };
        readonly ExternalFormatName: string;
        readonly Feedback: {
            readonly id: string;
            readonly run_id: string | null;
            readonly answer_id: string | null;
            readonly rating: components["schemas"]["FeedbackRating"];
            readonly comment: string | null;
            readonly tags: readonly string[];
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly FeedbackPage: {
            readonly data: readonly components["schemas"]["FeedbackRecord"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly FeedbackPassage: {
            readonly title: string;
            readonly text: string;
            readonly place: components["schemas"]["Place"];
            readonly passage_id?: string;
            readonly document_id?: string;
        };
        /** @enum {string} */
        readonly FeedbackRating: "up" | "down";
        readonly FeedbackRecord: {
            readonly id: string;
            readonly run_id: string | null;
            readonly answer_id: string | null;
            readonly rating: components["schemas"]["FeedbackRating"];
            readonly comment: string | null;
            readonly tags: readonly string[];
            readonly created_at: string;
            readonly updated_at: string;
            readonly sent_by: string;
            readonly agent_id: string | null;
            readonly agent_slug: string | null;
            readonly agent_version: number | null;
            readonly question: string;
            readonly answer: components["schemas"]["Json"];
        };
        readonly FoundPassage: {
            readonly passage_id: string;
            readonly document_id: string;
            readonly knowledge_base_id: string;
            readonly knowledge_base: string;
            readonly title: string;
            readonly source: string | null;
            readonly place: components["schemas"]["Place"];
            readonly url?: string;
            readonly text: string;
            readonly score: number;
            readonly metadata: components["schemas"]["JsonObject"];
            readonly also_in?: readonly components["schemas"]["PassageCopy"][];
            readonly document_url?: string;
        };
        readonly Guard: {
            readonly path: string;
            readonly equals: components["schemas"]["Json"];
        } | {
            readonly path: string;
            readonly in: readonly components["schemas"]["Json"][];
        } | {
            readonly path: string;
            /** @constant */
            readonly exists: true;
        };
        readonly HandoffEdge_string: {
            readonly from: string;
            readonly to: string;
            /** @constant */
            readonly mode: "handoff";
        };
        readonly Invitation: {
            readonly id: string;
            readonly email: string;
            readonly role: components["schemas"]["Role"];
            readonly invited_by: string;
            readonly created_at: string;
            readonly expires_at: string;
        };
        readonly InvitationPage: {
            readonly data: readonly components["schemas"]["Invitation"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly Inviter: {
            readonly id: string;
            readonly name: string | null;
        };
        readonly JsonSchema: components["schemas"]["JsonObject"];
        readonly JsonValue: unknown;
        readonly KnowledgeBase: {
            readonly id: string;
            readonly slug: string;
            readonly name: string;
            readonly description: string | null;
            readonly llm_provider: string | null;
            readonly llm_model: string | null;
            readonly documents: components["schemas"]["DocumentCounts"];
            readonly passage_count: number;
            readonly embedding: components["schemas"]["PinnedEmbedding"] | null;
            readonly access?: components["schemas"]["LimitedAccess"];
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly KnowledgeBasePage: {
            readonly data: readonly components["schemas"]["KnowledgeBase"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly KnowledgeDocument: {
            readonly id: string;
            readonly knowledge_base_id: string;
            readonly title: string;
            readonly source: string | null;
            readonly format: components["schemas"]["DocumentFormatName"];
            readonly status: components["schemas"]["DocumentStatus"];
            readonly error: components["schemas"]["RunError"] | null;
            readonly size_bytes: number;
            readonly content_sha256: string;
            readonly passage_count: number;
            readonly metadata: components["schemas"]["JsonObject"];
            readonly source_id?: string;
            readonly unread_pages?: readonly number[];
            readonly source_key?: string;
            readonly parent_id?: string;
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly KnowledgeNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            /** @constant */
            readonly kind: "knowledge";
            readonly knowledgeBases: readonly string[];
            readonly topK?: number;
            readonly minScore?: number;
            readonly filter?: components["schemas"]["JsonObject"];
        };
        readonly LimitedAccess: {
            readonly users: readonly string[];
        };
        readonly ListedAnswerSource: {
            /** @enum {string} */
            readonly kind: "agent" | "knowledge_base";
            readonly id: string;
            readonly name: string | null;
        };
        readonly ListedModel: {
            readonly id: string;
            /** @constant */
            readonly object: "model";
            readonly created: number;
            readonly owned_by: string;
            readonly stemma: components["schemas"]["ListedModelSource"] | components["schemas"]["ListedAnswerSource"];
        };
        readonly ListedModelSource: {
            /** @constant */
            readonly kind: "model";
            readonly model: string;
            readonly provider: string;
            readonly vendor_host: string;
            readonly payer: components["schemas"]["Payer"];
            readonly reason: string;
        };
        readonly LlmProvider: {
            readonly id: string;
            readonly name: string;
            readonly provider: string;
            readonly base_url: string;
            readonly models: readonly string[];
            readonly needs_api_key: boolean;
            readonly api_key_hint: string;
            readonly api_key_url?: string;
            readonly is_local?: boolean;
        };
        readonly LlmProviders: {
            readonly data: readonly components["schemas"]["LlmProvider"][];
        };
        readonly LlmSettings: {
            readonly provider: string;
            readonly base_url: string;
            readonly model: string;
            readonly has_api_key: boolean;
            /** @enum {string} */
            readonly status: "ok" | "undecryptable";
            readonly created_at: string;
            readonly updated_at: string;
            readonly updated_by: string;
        };
        readonly LlmSettingsTest: {
            readonly ok: boolean;
            readonly latency_ms: number;
            readonly model: string;
            readonly stages: readonly components["schemas"]["Stage"][];
            /** @constant */
            readonly embeddings_checked: false;
            readonly usage?: {
                readonly input_tokens: number;
                readonly output_tokens: number;
                readonly cached_tokens?: number;
            };
            readonly warnings?: readonly string[];
            readonly error?: {
                readonly code: string;
                readonly message: string;
                readonly hint?: string;
            };
        };
        readonly LlmStage: {
            readonly stage: components["schemas"]["Stage"];
            readonly payer: components["schemas"]["Payer"];
            readonly provider: string;
            readonly base_url: string;
            readonly model: string;
            readonly credential: string;
            readonly reason: string;
        };
        readonly LlmStages: {
            readonly stages: readonly components["schemas"]["LlmStage"][];
            readonly refusal?: {
                readonly code: string;
                readonly message: string;
                readonly hint: string;
            };
        };
        readonly McpToolNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            /** @constant */
            readonly kind: "tool";
            readonly tool: string;
            readonly arguments?: components["schemas"]["JsonObject"];
            readonly approval?: boolean;
            readonly server: string;
            readonly auth?: components["schemas"]["SecretReference"];
        };
        readonly Member: {
            readonly id: string;
            readonly email: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "active" | "removed";
            readonly role: components["schemas"]["Role"];
            readonly created_at: string;
        };
        readonly MemberData: {
            readonly id: string;
            readonly email: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "active" | "removed";
            readonly role: components["schemas"]["Role"];
            readonly created_at: string;
            /** @constant */
            readonly type: "profile";
        } | {
            readonly id: string;
            readonly user_id: string;
            readonly current: boolean;
            readonly user_agent: string | null;
            readonly invited_by: components["schemas"]["Inviter"] | null;
            readonly created_at: string;
            readonly last_used_at: string;
            readonly expires_at: string;
            /** @constant */
            readonly type: "session";
        } | {
            readonly id: string;
            readonly user_id: string;
            readonly name: string;
            readonly synced: boolean;
            readonly invited_by: components["schemas"]["Inviter"] | null;
            readonly created_at: string;
            readonly last_used_at: string | null;
            /** @constant */
            readonly type: "passkey";
        } | {
            readonly id: string;
            readonly user_id: string;
            readonly client: {
                readonly id: string;
                readonly name: string;
            };
            readonly redirect_host: string | null;
            readonly scopes: readonly components["schemas"]["Scope"][];
            readonly resource: string;
            readonly created_at: string;
            readonly last_used_at: string;
            /** @constant */
            readonly type: "authorization";
        } | {
            /** @constant */
            readonly type: "thread";
            readonly thread: components["schemas"]["Thread"];
            readonly messages: readonly components["schemas"]["ThreadMessage"][];
        } | {
            readonly thread_id?: string;
            readonly message_id?: string;
            readonly id: string;
            readonly run_id: string;
            readonly agent_id: string;
            readonly agent_slug: string;
            readonly agent_version: number;
            readonly status: "running" | components["schemas"]["RunStatus"];
            readonly background: boolean;
            readonly user_id?: string;
            readonly created_at: string;
            readonly ended_at: string | null;
            readonly last_seq: number;
            readonly input?: components["schemas"]["Json"];
            readonly context?: components["schemas"]["JsonObject"];
            readonly result?: components["schemas"]["RunResult"];
            /** @constant */
            readonly type: "run";
        } | {
            /** @constant */
            readonly type: "answer";
            readonly id: string;
            readonly created_at: string;
            readonly question: string;
            readonly history: readonly components["schemas"]["ConversationMessage"][];
            readonly answer: components["schemas"]["Json"];
            readonly citations: readonly components["schemas"]["Citation"][];
        } | {
            readonly id: string;
            readonly run_id: string | null;
            readonly answer_id: string | null;
            readonly rating: components["schemas"]["FeedbackRating"];
            readonly comment: string | null;
            readonly tags: readonly string[];
            readonly created_at: string;
            readonly updated_at: string;
            /** @constant */
            readonly type: "feedback";
        };
        readonly MemberPage: {
            readonly data: readonly components["schemas"]["Member"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly ModelChoice: {
            readonly provider?: string;
            readonly model?: string;
            readonly temperature?: number;
            readonly maxOutputTokens?: number;
        };
        readonly ModelList: {
            /** @constant */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ListedModel"][];
        };
        readonly OAuthError: components["schemas"]["OAuthErrorBody"];
        readonly OAuthErrorBody: {
            readonly error: string;
            readonly error_description?: string;
        };
        readonly PassageCopy: {
            readonly passage_id: string;
            readonly document_id: string;
            readonly knowledge_base_id: string;
            readonly knowledge_base: string;
            readonly title: string;
            readonly source: string | null;
            readonly place: components["schemas"]["Place"];
        };
        readonly Passkey: {
            readonly id: string;
            readonly user_id: string;
            readonly name: string;
            readonly synced: boolean;
            readonly invited_by: components["schemas"]["Inviter"] | null;
            readonly created_at: string;
            readonly last_used_at: string | null;
        };
        readonly PasskeyOptions: components["schemas"]["JsonObject"];
        readonly PasskeyPage: {
            readonly data: readonly components["schemas"]["Passkey"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly PinnedEmbedding: {
            readonly model: string;
            readonly dimensions: number;
            readonly in_use: boolean;
        };
        readonly PushSourceSettings: {
            /** @constant */
            readonly kind: "push";
        };
        readonly Reindex: {
            readonly knowledge_base_id: string;
            /** @enum {string} */
            readonly status: "idle" | "planned" | "running" | "paused" | "completed" | "dropping";
            readonly from: components["schemas"]["ReindexSpace"] | null;
            readonly to: components["schemas"]["ReindexSpace"] | null;
            readonly passages: components["schemas"]["ReindexCounts"];
            readonly payer: components["schemas"]["Payer"];
            readonly error: components["schemas"]["RunError"] | null;
            readonly plan?: components["schemas"]["ReindexPlan"];
            readonly started_at: string | null;
            readonly completed_at: string | null;
            readonly undo_until: string | null;
        };
        readonly ReindexCounts: {
            readonly total: number;
            readonly done: number;
            readonly skipped: number;
        };
        readonly ReindexPlan: {
            readonly passages: number;
            readonly estimated_tokens: number;
            readonly max_tokens: number;
            readonly reason: string;
        };
        readonly ReindexSpace: {
            readonly model: string;
            readonly vendor_host: string;
            readonly dimensions?: number;
        };
        readonly RemoteNode_string: components["schemas"]["ServiceAgentNode_string"] | components["schemas"]["A2aAgentNode_string"];
        readonly ResolvedModels: {
            readonly data: readonly components["schemas"]["ResolvedNodeModel"][];
        };
        readonly ResolvedNodeModel: {
            readonly node: string;
            /** @constant */
            readonly stage?: "rewrite";
            readonly provider: string;
            readonly model: string;
            readonly vendor_host: string;
            readonly payer: components["schemas"]["Payer"];
            readonly reason: string;
            readonly price?: components["schemas"]["StatedPrice"];
        };
        /** @enum {string} */
        readonly Role: "viewer" | "editor" | "admin";
        readonly RunLimits: {
            readonly maxSteps?: number;
            readonly maxDepth?: number;
            readonly timeoutMs?: number;
            readonly maxTokens?: number;
        };
        readonly RunPage: {
            readonly data: readonly components["schemas"]["RunRecord"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly RunShare: {
            readonly id: string;
            readonly run_id: string;
            readonly fields: readonly components["schemas"]["RunShareField"][];
            readonly created_by: string;
            readonly created_at: string;
            readonly expires_at: string;
            readonly views: number;
        };
        /** @enum {string} */
        readonly RunShareField: "input" | "output" | "links" | "steps" | "tools" | "receipt";
        readonly RunSharePage: {
            readonly data: readonly components["schemas"]["RunShare"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly SavedLlmSettings: {
            readonly provider: string;
            readonly base_url: string;
            readonly model: string;
            readonly has_api_key: boolean;
            /** @enum {string} */
            readonly status: "ok" | "undecryptable";
            readonly created_at: string;
            readonly updated_at: string;
            readonly updated_by: string;
            readonly warnings: readonly string[];
        };
        /** @enum {string} */
        readonly Scope: "ask" | "agents:run" | "agents:write" | "agents:trace" | "runs:approve" | "knowledge:read" | "knowledge:write" | "settings:read" | "settings:write" | "keys:write" | "deployment:write";
        readonly SearchResult: {
            readonly passages: readonly components["schemas"]["FoundPassage"][];
            readonly receipt: readonly components["schemas"]["ReceiptRow"][];
            readonly more_knowledge_bases?: boolean;
        };
        readonly SecretReference: {
            readonly secret: string;
        };
        readonly ServiceAgentNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            /** @constant */
            readonly kind: "remote";
            readonly auth?: components["schemas"]["SecretReference"];
            readonly approval?: boolean;
            readonly agentId: string;
        };
        readonly ServiceHealth: {
            /** @constant */
            readonly status: "ok";
            readonly version: string;
        };
        readonly ServiceName: {
            /** @constant */
            readonly name: "Stemma";
            readonly version: string;
        };
        readonly ServiceReadiness: {
            /** @constant */
            readonly status: "ready";
            readonly version: string;
            readonly warnings?: readonly components["schemas"]["ServiceWarning"][];
        };
        readonly ServiceUnavailable: {
            /** @enum {string} */
            readonly status: "starting" | "stopping" | "unavailable";
            readonly version?: string;
            readonly warnings?: readonly components["schemas"]["ServiceWarning"][];
        };
        readonly ServiceWarning: {
            readonly code: string;
            readonly message: string;
        };
        readonly SharedCitation: {
            readonly n: number;
            readonly title: string;
            readonly text: string;
            /** @enum {string} */
            readonly support: "quoted" | "supported" | "weak";
            readonly url?: string;
        };
        readonly SharedRun: {
            /** @enum {string} */
            readonly status: "completed" | "failed" | "cancelled";
            readonly created_at: string;
            readonly ended_at: string | null;
            readonly expires_at: string;
            readonly fields: readonly components["schemas"]["RunShareField"][];
            readonly input?: components["schemas"]["Json"];
            readonly output?: components["schemas"]["Json"];
            readonly citations?: readonly components["schemas"]["SharedCitation"][];
            readonly error?: components["schemas"]["SharedRunError"];
            readonly steps?: readonly components["schemas"]["SharedRunStep"][];
            readonly steps_truncated?: boolean;
            readonly receipt?: readonly components["schemas"]["ReceiptRow"][];
        };
        readonly SharedRunError: {
            readonly code: string;
            readonly message: string;
        };
        readonly SharedRunStep: {
            readonly invocation: number;
            readonly parent?: number;
            readonly node: string;
            readonly kind: components["schemas"]["NodeKind"];
            /** @enum {string} */
            readonly status: "completed" | "failed" | "stopped";
            readonly started_at: string;
            readonly ended_at: string | null;
            readonly input?: components["schemas"]["Json"];
            readonly output?: components["schemas"]["Json"];
            readonly error?: components["schemas"]["SharedRunError"];
        };
        readonly SignInIssuer: {
            readonly id: string;
            readonly name: string;
        };
        readonly SignInMethods: {
            readonly issuers: readonly components["schemas"]["SignInIssuer"][];
        };
        readonly SignedOut: {
            /** @constant */
            readonly signed_out: true;
            readonly end_session_url?: string;
        };
        readonly Source: {
            readonly id: string;
            readonly knowledge_base_id: string;
            readonly name: string;
            readonly settings: components["schemas"]["SourceSettings"];
            readonly credential: string | null;
            readonly every_minutes: number | null;
            readonly next_sync_at: string | null;
            readonly documents: components["schemas"]["DocumentCounts"];
            readonly last_sync: components["schemas"]["SourceSync"] | null;
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly SourceIssue: {
            readonly key: string;
            /** @enum {string} */
            readonly outcome: "skipped" | "failed";
            readonly code: string;
            readonly message: string;
        };
        readonly SourcePage: {
            readonly data: readonly components["schemas"]["Source"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly SourceSettings: {
            readonly url: string;
            /** @constant */
            readonly kind: "url";
        } | {
            readonly include?: readonly string[];
            readonly exclude?: readonly string[];
            readonly url: string;
            readonly max_depth?: number;
            readonly max_pages?: number;
            readonly delay_ms?: number;
            /** @constant */
            readonly kind: "site";
        } | {
            readonly include?: readonly string[];
            readonly exclude?: readonly string[];
            readonly url: string;
            readonly ref?: string;
            /** @enum {string} */
            readonly host?: "github" | "gitlab" | "gitea" | "bitbucket";
            readonly path?: string;
            readonly archive_url?: string;
            /** @constant */
            readonly kind: "git";
        } | {
            readonly include?: readonly string[];
            readonly exclude?: readonly string[];
            readonly bucket: string;
            readonly prefix?: string;
            readonly region?: string;
            readonly endpoint?: string;
            readonly virtual_host?: boolean;
            /** @constant */
            readonly kind: "s3";
        } | {
            readonly include?: readonly string[];
            readonly exclude?: readonly string[];
            readonly path: string;
            /** @constant */
            readonly kind: "folder";
        } | components["schemas"]["PushSourceSettings"];
        readonly SourceSync: {
            readonly id: string;
            readonly source_id: string;
            readonly status: components["schemas"]["SourceSyncStatus"];
            readonly error: components["schemas"]["RunError"] | null;
            readonly counts: components["schemas"]["SourceSyncCounts"];
            readonly bytes: number;
            readonly issues: readonly components["schemas"]["SourceIssue"][];
            readonly created_at: string;
            readonly started_at: string | null;
            readonly ended_at: string | null;
        };
        readonly SourceSyncCounts: {
            readonly added: number;
            readonly changed: number;
            readonly unchanged: number;
            readonly moved: number;
            readonly removed: number;
            readonly skipped: number;
            readonly failed: number;
        };
        readonly SourceSyncPage: {
            readonly data: readonly components["schemas"]["SourceSync"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        /** @enum {string} */
        readonly SourceSyncStatus: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        readonly SpecialistNode_string: {
            readonly id: string;
            readonly description?: string;
            readonly position?: {
                readonly x: number;
                readonly y: number;
            };
            readonly metadata?: components["schemas"]["Json"];
            readonly instructions?: string;
            readonly model?: components["schemas"]["ModelChoice"];
            readonly output?: components["schemas"]["JsonSchema"];
            readonly maxTurns?: number;
            /** @constant */
            readonly kind: "agent";
        };
        readonly StartedRun: {
            readonly thread_id?: string;
            readonly message_id?: string;
            readonly id: string;
            readonly run_id: string;
            readonly agent_id: string;
            readonly agent_slug: string;
            readonly agent_version: number;
            readonly status: "running" | components["schemas"]["RunStatus"];
            readonly background: boolean;
            readonly user_id?: string;
            readonly created_at: string;
            readonly ended_at: string | null;
            readonly last_seq: number;
            readonly input?: components["schemas"]["Json"];
            readonly context?: components["schemas"]["JsonObject"];
            readonly result?: components["schemas"]["RunResult"];
            readonly run_token: string;
        };
        readonly StatedPrice: {
            readonly currency: string;
            readonly input: string;
            readonly output: string;
            readonly cached_input: string;
            readonly call: string;
        };
        readonly StorageUsage: {
            readonly bytes: number;
            readonly max_bytes: number;
            readonly documents: number;
            readonly max_documents: number;
            readonly runs: number;
            readonly max_runs: number;
        };
        readonly StoredAgent: {
            readonly id: string;
            readonly slug: string;
            readonly name: string | null;
            readonly description: string | null;
            readonly version: number;
            readonly access?: components["schemas"]["LimitedAccess"];
            readonly graph: components["schemas"]["AgentGraph"];
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly StoredAgentPage: {
            readonly data: readonly components["schemas"]["StoredAgentSummary"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly StoredAgentSummary: {
            readonly id: string;
            readonly slug: string;
            readonly name: string | null;
            readonly description: string | null;
            readonly version: number;
            readonly access?: components["schemas"]["LimitedAccess"];
            readonly created_at: string;
            readonly updated_at: string;
        };
        /** @enum {string} */
        readonly TextFormatName: "markdown" | "text" | "html" | "csv" | "json" | "yaml" | "xml";
        readonly ThenEdge_string: {
            readonly from: string;
            readonly to: string;
            /** @constant */
            readonly mode: "then";
            readonly when?: components["schemas"]["Guard"];
        };
        readonly Thread: {
            readonly id: string;
            readonly title: string | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            readonly owner: {
                /** @enum {string} */
                readonly kind: "client" | "client_key" | "user";
                readonly id: string;
            };
            readonly agent_id: string | null;
            readonly created_at: string;
            readonly updated_at: string;
            readonly message_count: number;
            readonly active_run_id: string | null;
        };
        readonly ThreadExport: {
            readonly thread: components["schemas"]["Thread"];
            readonly messages: readonly components["schemas"]["ThreadMessage"][];
        };
        readonly ThreadMessage: {
            readonly id: string;
            readonly thread_id: string;
            readonly parent_id: string | null;
            /** @enum {string} */
            readonly role: "user" | "assistant";
            readonly text: string;
            /** @enum {string} */
            readonly status: "queued" | "in_progress" | "waiting" | "completed" | "failed" | "cancelled";
            readonly run_id?: string;
            readonly run_token?: string;
            readonly answer_id?: string;
            readonly answer_token?: string;
            readonly citations?: readonly components["schemas"]["Citation"][];
            /** @enum {string} */
            readonly refused?: "no_relevant_passages" | "no_answer_in_passages";
            readonly receipt?: readonly components["schemas"]["ReceiptRow"][];
            readonly error?: components["schemas"]["RunError"];
            readonly created_at: string;
        };
        readonly ThreadMessageList: {
            readonly messages: readonly components["schemas"]["ThreadMessage"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly ThreadPage: {
            readonly data: readonly components["schemas"]["Thread"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly ToolNode_string: components["schemas"]["McpToolNode_string"] | components["schemas"]["CodeToolNode_string"];
        readonly UnsetLlmSettings: {
            readonly provider: null;
            readonly base_url: null;
            readonly model: null;
            /** @constant */
            readonly has_api_key: false;
            /** @constant */
            readonly status: "ok";
            readonly created_at: null;
            readonly updated_at: null;
            readonly updated_by: null;
            readonly deployment: {
                readonly provider: string;
                readonly model: string;
            };
        };
        readonly Usage: {
            readonly from: string;
            readonly to: string;
            readonly data: readonly components["schemas"]["UsageRow"][];
            readonly storage: components["schemas"]["StorageUsage"];
        };
        readonly UsageCost: {
            readonly currency: string;
            readonly amount: string;
            readonly calls: number;
        };
        readonly UsageRow: {
            readonly day: string;
            readonly payer: components["schemas"]["Payer"];
            readonly stage: components["schemas"]["Stage"];
            readonly provider: string;
            readonly model: string;
            readonly calls: number;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly cached_tokens: number;
            readonly estimated_calls: number;
            readonly costs?: readonly components["schemas"]["UsageCost"][];
            readonly user_id?: string | null;
        };
        readonly User: {
            readonly id: string;
            readonly email: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "active" | "removed";
        };
        readonly UserSession: {
            readonly id: string;
            readonly user_id: string;
            readonly current: boolean;
            readonly user_agent: string | null;
            readonly invited_by: components["schemas"]["Inviter"] | null;
            readonly created_at: string;
            readonly last_used_at: string;
            readonly expires_at: string;
        };
        readonly UserSessionPage: {
            readonly data: readonly components["schemas"]["UserSession"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly UserWorkspace: {
            readonly id: string;
            readonly name: string;
            readonly role: components["schemas"]["Role"];
            readonly current: boolean;
        };
        readonly UserWorkspaces: {
            readonly data: readonly components["schemas"]["UserWorkspace"][];
        };
        readonly Workspace: {
            readonly id: string;
            readonly name: string;
            readonly created_at: string;
            /** @enum {string} */
            readonly status: "available" | "unavailable";
            readonly storage_bytes?: number;
            readonly problem?: components["schemas"]["WorkspaceProblem"];
        };
        readonly WorkspacePage: {
            readonly data: readonly components["schemas"]["Workspace"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly WorkspaceProblem: {
            readonly code: string;
            readonly message: string;
            readonly hint: string;
        };
        readonly WorkspaceSecret: {
            readonly name: string;
            readonly server_url: string;
            /** @enum {string} */
            readonly status: "ok" | "undecryptable";
            readonly created_at: string;
            readonly updated_at: string;
            readonly updated_by: string;
        };
        readonly WorkspaceSecretPage: {
            readonly data: readonly components["schemas"]["WorkspaceSecret"][];
            readonly has_more: boolean;
            readonly next: string | null;
        };
        readonly "postOauthRegister.body": Record<string, never>;
        readonly "postAgents.body": {
            readonly graph: components["schemas"]["AgentGraph"];
            readonly note?: string;
            readonly slug?: string;
        };
        readonly "getAgents.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "putAgentsById.body": {
            readonly graph: components["schemas"]["AgentGraph"];
            readonly note?: string;
            readonly slug?: string;
            readonly access?: "all" | {
                readonly users: readonly string[];
            };
            readonly version?: number;
        };
        readonly "postAgentsByIdAgUi.body": {
            readonly threadId: string;
            readonly runId: string;
            readonly protocolVersion?: string | null;
            readonly parentRunId?: string | null;
            readonly state?: unknown;
            readonly messages: readonly unknown[];
            readonly tools?: readonly unknown[] | null;
            readonly context?: readonly unknown[] | null;
            readonly forwardedProps?: unknown;
            readonly resume?: readonly unknown[] | null;
        };
        readonly "postAgentsByIdRun.body": {
            readonly input?: unknown;
            readonly context?: {
                readonly [key: string]: unknown;
            };
            readonly background?: boolean;
            readonly stream?: boolean;
            readonly thread_id?: string;
            readonly parent_id?: string | null;
            readonly regenerate_of?: string;
            /** @enum {string} */
            readonly if_active?: "queue" | "reject" | "interrupt";
        };
        readonly "postAgentsByIdUi.body": {
            readonly id: string;
            readonly messages: readonly unknown[];
            readonly trigger?: string;
            readonly messageId?: string;
            readonly context?: {
                readonly [key: string]: unknown;
            };
        };
        readonly "getAgentsByIdVersions.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postAgentsByIdVersionsByNumberRestore.body": {
            readonly note?: string;
            readonly version?: number;
        };
        readonly "postAnswersByIdFeedback.body": {
            /** @enum {string} */
            readonly rating: "up" | "down";
            readonly comment?: string;
            readonly tags?: readonly string[];
        };
        readonly "postAsk.body": {
            readonly question?: string;
            readonly knowledge_base_ids?: readonly string[];
            readonly history?: readonly {
                /** @enum {string} */
                readonly role: "user" | "assistant";
                readonly content: string | readonly {
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                }[];
            }[];
            readonly model?: {
                readonly provider?: string;
                readonly model?: string;
            };
            readonly top_k?: number;
            readonly min_score?: number;
            readonly filter?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            readonly store?: boolean;
            readonly stream?: boolean;
            readonly thread_id?: string;
            readonly parent_id?: string | null;
            readonly regenerate_of?: string;
            /** @enum {string} */
            readonly if_active?: "queue" | "reject" | "interrupt";
        };
        readonly "getAudit.query": {
            /** @enum {string} */
            readonly action?: "llm_settings.set" | "llm_settings.tested" | "llm_settings.cleared" | "secret.set" | "secret.deleted" | "client.created" | "client.rotated" | "client.deleted" | "client_key.created" | "client_key.deleted" | "member.signed_in" | "member.updated" | "member.removed" | "member.exported" | "member.erased" | "invitation.created" | "invitation.revoked" | "session.ended" | "passkey.created" | "passkey.renamed" | "passkey.deleted" | "authorization.created" | "authorization.ended" | "run_share.created" | "run_share.revoked" | "workspace.created" | "workspace.renamed" | "workspace.deleted" | "knowledge_base.models_changed" | "knowledge_base.access_changed" | "agent.access_changed" | "knowledge_base.reindex_started" | "knowledge_base.reindex_completed" | "knowledge_base.reindex_dropped" | "source.created" | "source.updated" | "source.deleted" | "approval.approved" | "approval.denied" | "credentials.resealed" | "credentials.abandoned";
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postAuthorizationRequests.body": {
            readonly client_id: string;
            readonly redirect_uri: string;
            readonly response_type: string;
            readonly code_challenge: string;
            readonly code_challenge_method: string;
            readonly scope?: string;
            readonly state?: string;
            readonly resource?: string;
            readonly issuer?: string;
        };
        readonly "postAuthorizations.body": {
            readonly client_id: string;
            readonly redirect_uri: string;
            readonly response_type: string;
            readonly code_challenge: string;
            readonly code_challenge_method: string;
            readonly scope?: string;
            readonly state?: string;
            readonly resource?: string;
            readonly issuer?: string;
            /** @enum {string} */
            readonly decision: "allow" | "deny";
        };
        readonly "getAuthorizations.query": {
            readonly user_id?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postChatCompletions.body": {
            readonly user?: unknown;
            readonly safety_identifier?: unknown;
            readonly metadata?: unknown;
            readonly store?: unknown;
            readonly service_tier?: unknown;
            readonly prompt_cache_key?: unknown;
            readonly prompt_cache_retention?: unknown;
            readonly prompt_cache_options?: unknown;
            readonly prediction?: unknown;
            readonly model: string;
            readonly messages: readonly ({
                /** @enum {string} */
                readonly role: "system" | "developer";
                readonly content: string | readonly ({
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                } | {
                    readonly type: string;
                })[];
                readonly name?: string | null;
            } | {
                /** @constant */
                readonly role: "user";
                readonly content: string | readonly ({
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                } | {
                    readonly type: string;
                })[];
                readonly name?: string | null;
            } | {
                /** @constant */
                readonly role: "assistant";
                readonly name?: string | null;
                readonly content?: (string | readonly ({
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                } | {
                    readonly type: string;
                })[]) | null;
                readonly tool_calls?: readonly {
                    readonly id: string;
                    /** @constant */
                    readonly type?: "function";
                    readonly function: {
                        readonly name: string;
                        readonly arguments: string;
                    };
                    readonly extra_content?: {
                        readonly stemma?: components["schemas"]["JsonValue"];
                    } | null;
                }[] | null;
                readonly function_call?: {
                    readonly name: string;
                    readonly arguments: string;
                } | null;
            } | {
                /** @constant */
                readonly role: "tool";
                readonly tool_call_id: string;
                readonly content: string | readonly ({
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                } | {
                    readonly type: string;
                })[];
            } | {
                /** @constant */
                readonly role: "function";
                readonly name: string;
                readonly content?: string | null;
            })[];
            readonly n?: number | null;
            readonly stream?: boolean | null;
            readonly stream_options?: {
                readonly include_usage?: boolean | null;
            } | null;
            readonly tools?: readonly {
                /** @constant */
                readonly type: "function";
                readonly function: {
                    readonly name: string;
                    readonly description?: string | null;
                    readonly parameters?: {
                        readonly [key: string]: unknown;
                    } | null;
                    readonly strict?: boolean | null;
                };
            }[] | null;
            readonly tool_choice?: unknown;
            readonly parallel_tool_calls?: boolean | null;
            readonly functions?: readonly {
                readonly name: string;
                readonly description?: string | null;
                readonly parameters?: {
                    readonly [key: string]: unknown;
                } | null;
                readonly strict?: boolean | null;
            }[] | null;
            readonly function_call?: (("auto" | "none") | {
                readonly name: string;
            }) | null;
            readonly response_format?: unknown;
            readonly temperature?: number | null;
            readonly top_p?: number | null;
            readonly seed?: number | null;
            readonly stop?: (string | readonly string[]) | null;
            readonly frequency_penalty?: number | null;
            readonly presence_penalty?: number | null;
            readonly logit_bias?: {
                readonly [key: string]: number;
            } | null;
            readonly reasoning_effort?: string | null;
            readonly verbosity?: string | null;
            readonly logprobs?: unknown;
            readonly top_logprobs?: unknown;
            readonly modalities?: unknown;
            readonly audio?: unknown;
            readonly web_search_options?: unknown;
            readonly moderation?: unknown;
            readonly max_tokens?: number | null;
            readonly max_completion_tokens?: number | null;
            readonly stemma?: {
                readonly provider?: string;
                readonly run_id?: string;
                readonly node?: string;
                /** @enum {string} */
                readonly stage?: "rewrite" | "embed" | "score" | "answer" | "index";
                readonly depth?: number;
                /** @enum {string} */
                readonly mode?: "start" | "call" | "handoff" | "before" | "then";
                readonly tool_kinds?: {
                    readonly [key: string]: "coordinator" | "agent" | "knowledge" | "tool" | "remote" | "handoff";
                };
                readonly knowledge_base_ids?: readonly string[];
                readonly context?: {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly "postClientKeys.body": {
            readonly name: string;
            /**
             * @default [
             *       "ask",
             *       "agents:run"
             *     ]
             */
            readonly scopes?: readonly ("ask" | "agents:run")[];
            /** @default [] */
            readonly origins?: readonly string[];
            readonly native?: boolean;
            /** @default null */
            readonly agents?: readonly string[] | null;
            /** @default null */
            readonly knowledge_base_ids?: readonly string[] | null;
            readonly requests_per_minute?: number;
            readonly tokens_per_day?: number;
            readonly models?: boolean;
            /** @enum {string} */
            readonly expose?: "answer" | "trace";
        };
        readonly "getClientKeys.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postClients.body": {
            readonly name: string;
            readonly scopes?: readonly ("ask" | "agents:run" | "agents:write" | "agents:trace" | "runs:approve" | "knowledge:read" | "knowledge:write" | "settings:read" | "settings:write" | "keys:write" | "deployment:write")[];
        };
        readonly "getClients.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "getDocumentsByDocumentIdFile.query": {
            readonly token: string;
        };
        readonly "getDocumentsByDocumentIdText.query": {
            readonly start?: string;
            readonly end?: string;
            readonly token: string;
        };
        readonly "postEmbeddings.body": {
            readonly model: string;
            readonly input: string | readonly string[];
            /** @enum {string} */
            readonly encoding_format?: "float" | "base64";
            readonly dimensions?: number;
        } & {
            readonly [key: string]: unknown;
        };
        readonly "getFeedback.query": {
            /** @enum {string} */
            readonly rating?: "up" | "down";
            readonly agent_id?: string;
            readonly tag?: string;
            readonly since?: string;
            readonly until?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "getFeedbackExport.query": {
            /** @enum {string} */
            readonly rating?: "up" | "down";
            readonly agent_id?: string;
            readonly tag?: string;
            readonly since?: string;
            readonly until?: string;
        };
        readonly "postInvitations.body": {
            readonly email: string;
            /** @enum {string} */
            readonly role: "viewer" | "editor" | "admin";
        };
        readonly "getInvitations.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postKnowledgeBases.body": {
            readonly name: string;
            readonly slug?: string;
            readonly description?: string | null;
            readonly llm_provider?: string | null;
            readonly llm_model?: string | null;
        };
        readonly "getKnowledgeBases.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "patchKnowledgeBasesById.body": {
            readonly name?: string;
            readonly slug?: string;
            readonly description?: string | null;
            readonly llm_provider?: string | null;
            readonly llm_model?: string | null;
            readonly access?: "all" | {
                readonly users: readonly string[];
            };
        };
        readonly "patchKnowledgeBasesById.query": {
            /** @enum {string} */
            readonly force?: "true" | "false";
        };
        readonly "deleteKnowledgeBasesById.query": {
            /** @enum {string} */
            readonly force?: "true" | "false";
        };
        readonly "postKnowledgeBasesByIdDocuments.body": {
            readonly text: string;
            readonly title?: string;
            readonly source?: string;
            /** @enum {string} */
            readonly format?: "markdown" | "text" | "html" | "csv" | "json" | "yaml" | "xml";
            readonly metadata?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
        };
        readonly "getKnowledgeBasesByIdDocuments.query": {
            /** @enum {string} */
            readonly status?: "queued" | "processing" | "ready" | "failed";
            readonly source?: string;
            readonly parent_id?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "getKnowledgeBasesByIdDocumentsByDocumentIdText.query": {
            readonly start?: string;
            readonly end?: string;
        };
        readonly "postKnowledgeBasesByIdReindex.body": {
            readonly to?: string;
            readonly undo?: boolean;
            /** @enum {string} */
            readonly payer?: "workspace" | "deployment" | "none" | "external";
            readonly dry_run?: boolean;
        };
        readonly "postKnowledgeBasesByIdSources.body": {
            readonly settings: {
                /** @constant */
                readonly kind: "url";
                readonly url: string;
            } | {
                /** @constant */
                readonly kind: "site";
                readonly url: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
                readonly max_depth?: number;
                readonly max_pages?: number;
                readonly delay_ms?: number;
            } | {
                /** @constant */
                readonly kind: "git";
                readonly url: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
                readonly ref?: string;
                readonly path?: string;
                readonly archive_url?: string;
                /** @enum {string} */
                readonly host?: "github" | "gitlab" | "gitea" | "bitbucket";
            } | {
                /** @constant */
                readonly kind: "s3";
                readonly bucket: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
                readonly prefix?: string;
                readonly region?: string;
                readonly endpoint?: string;
                readonly virtual_host?: boolean;
            } | {
                /** @constant */
                readonly kind: "folder";
                readonly path: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
            };
            readonly name?: string;
            readonly credential?: string | null;
            readonly every_minutes?: number | null;
        };
        readonly "getKnowledgeBasesByIdSources.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "patchKnowledgeBasesByIdSourcesBySourceId.body": {
            readonly settings?: {
                /** @constant */
                readonly kind: "url";
                readonly url: string;
            } | {
                /** @constant */
                readonly kind: "site";
                readonly url: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
                readonly max_depth?: number;
                readonly max_pages?: number;
                readonly delay_ms?: number;
            } | {
                /** @constant */
                readonly kind: "git";
                readonly url: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
                readonly ref?: string;
                readonly path?: string;
                readonly archive_url?: string;
                /** @enum {string} */
                readonly host?: "github" | "gitlab" | "gitea" | "bitbucket";
            } | {
                /** @constant */
                readonly kind: "s3";
                readonly bucket: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
                readonly prefix?: string;
                readonly region?: string;
                readonly endpoint?: string;
                readonly virtual_host?: boolean;
            } | {
                /** @constant */
                readonly kind: "folder";
                readonly path: string;
                readonly include?: readonly string[];
                readonly exclude?: readonly string[];
            };
            readonly name?: string;
            readonly credential?: string | null;
            readonly every_minutes?: number | null;
        };
        readonly "deleteKnowledgeBasesByIdSourcesBySourceId.query": {
            /** @enum {string} */
            readonly keep_documents?: "true" | "false";
        };
        readonly "postKnowledgeBasesByIdSourcesBySourceIdSync.body": {
            readonly force?: boolean;
        };
        readonly "getKnowledgeBasesByIdSourcesBySourceIdSyncs.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "getMembers.query": {
            /** @enum {string} */
            readonly status?: "active" | "removed";
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "patchMembersById.body": {
            /** @enum {string} */
            readonly role: "viewer" | "editor" | "admin";
        };
        readonly "postMessages.body": {
            readonly metadata?: unknown;
            readonly service_tier?: unknown;
            readonly cache_control?: unknown;
            readonly top_k?: unknown;
            readonly thinking?: unknown;
            readonly container?: unknown;
            readonly mcp_servers?: unknown;
            readonly context_management?: unknown;
            readonly model: string;
            readonly messages: readonly ({
                /** @enum {string} */
                readonly role: "user" | "assistant";
                readonly content: string | readonly ({
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                } | {
                    /** @constant */
                    readonly type: "tool_use";
                    readonly id: string;
                    readonly name: string;
                    readonly input: {
                        readonly [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    readonly type: "tool_result";
                    readonly tool_use_id: string;
                    readonly content?: (string | readonly {
                        /** @constant */
                        readonly type: "text";
                        readonly text: string;
                    }[]) | null;
                    readonly is_error?: boolean | null;
                } | {
                    /** @enum {string} */
                    readonly type: "thinking" | "redacted_thinking";
                })[];
            } | {
                /** @constant */
                readonly role: "system";
                readonly content: string | readonly {
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                }[];
            })[];
            readonly system?: (string | readonly {
                /** @constant */
                readonly type: "text";
                readonly text: string;
            }[]) | null;
            readonly tools?: readonly ({
                readonly type?: "custom" | null;
                readonly name: string;
                readonly description?: string | null;
                readonly input_schema: {
                    readonly [key: string]: unknown;
                };
                readonly strict?: boolean | null;
            } | {
                readonly type: string;
            })[] | null;
            readonly tool_choice?: ({
                /** @enum {string} */
                readonly type: "auto" | "any" | "none";
                readonly disable_parallel_tool_use?: boolean | null;
            } | {
                /** @constant */
                readonly type: "tool";
                readonly name: string;
                readonly disable_parallel_tool_use?: boolean | null;
            }) | null;
            readonly output_config?: {
                readonly effort?: string | null;
                readonly format?: unknown;
            } | null;
            readonly temperature?: number | null;
            readonly top_p?: number | null;
            readonly stop_sequences?: readonly string[] | null;
            readonly stream?: boolean | null;
            readonly stemma?: {
                readonly context?: {
                    readonly [key: string]: unknown;
                };
            } | null;
            readonly max_tokens: number;
        };
        readonly "postMessagesCountTokens.body": {
            readonly metadata?: unknown;
            readonly service_tier?: unknown;
            readonly cache_control?: unknown;
            readonly top_k?: unknown;
            readonly thinking?: unknown;
            readonly container?: unknown;
            readonly mcp_servers?: unknown;
            readonly context_management?: unknown;
            readonly model: string;
            readonly messages: readonly ({
                /** @enum {string} */
                readonly role: "user" | "assistant";
                readonly content: string | readonly ({
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                } | {
                    /** @constant */
                    readonly type: "tool_use";
                    readonly id: string;
                    readonly name: string;
                    readonly input: {
                        readonly [key: string]: unknown;
                    };
                } | {
                    /** @constant */
                    readonly type: "tool_result";
                    readonly tool_use_id: string;
                    readonly content?: (string | readonly {
                        /** @constant */
                        readonly type: "text";
                        readonly text: string;
                    }[]) | null;
                    readonly is_error?: boolean | null;
                } | {
                    /** @enum {string} */
                    readonly type: "thinking" | "redacted_thinking";
                })[];
            } | {
                /** @constant */
                readonly role: "system";
                readonly content: string | readonly {
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                }[];
            })[];
            readonly system?: (string | readonly {
                /** @constant */
                readonly type: "text";
                readonly text: string;
            }[]) | null;
            readonly tools?: readonly ({
                readonly type?: "custom" | null;
                readonly name: string;
                readonly description?: string | null;
                readonly input_schema: {
                    readonly [key: string]: unknown;
                };
                readonly strict?: boolean | null;
            } | {
                readonly type: string;
            })[] | null;
            readonly tool_choice?: ({
                /** @enum {string} */
                readonly type: "auto" | "any" | "none";
                readonly disable_parallel_tool_use?: boolean | null;
            } | {
                /** @constant */
                readonly type: "tool";
                readonly name: string;
                readonly disable_parallel_tool_use?: boolean | null;
            }) | null;
            readonly output_config?: {
                readonly effort?: string | null;
                readonly format?: unknown;
            } | null;
            readonly temperature?: number | null;
            readonly top_p?: number | null;
            readonly stop_sequences?: readonly string[] | null;
            readonly stream?: boolean | null;
            readonly stemma?: {
                readonly context?: {
                    readonly [key: string]: unknown;
                };
            } | null;
            readonly max_tokens?: number | null;
        };
        readonly "postModelsResolve.body": {
            readonly nodes: readonly {
                readonly node: string;
                /** @constant */
                readonly stage?: "rewrite";
                readonly provider?: string;
                readonly model?: string;
            }[];
            /** @default [] */
            readonly knowledge_base_ids?: readonly string[];
        };
        readonly "postPasskeys.body": {
            readonly response: {
                readonly id: string;
                readonly rawId: string;
                /** @constant */
                readonly type: "public-key";
                readonly response: {
                    readonly clientDataJSON: string;
                    readonly attestationObject: string;
                } & {
                    readonly [key: string]: unknown;
                };
            } & {
                readonly [key: string]: unknown;
            };
            readonly name?: string;
        };
        readonly "getPasskeys.query": {
            readonly user_id?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "patchPasskeysById.body": {
            readonly name: string;
        };
        readonly "postResponses.body": {
            readonly user?: unknown;
            readonly safety_identifier?: unknown;
            readonly prompt_cache_key?: unknown;
            readonly prompt_cache_retention?: unknown;
            readonly prompt_cache_options?: unknown;
            readonly service_tier?: unknown;
            readonly stream_options?: unknown;
            readonly conversation?: unknown;
            readonly prompt?: unknown;
            readonly max_tool_calls?: unknown;
            readonly top_logprobs?: unknown;
            readonly truncation?: unknown;
            readonly include?: unknown;
            readonly context_management?: unknown;
            readonly moderation?: unknown;
            readonly model: string;
            readonly input: string | readonly ({
                /** @constant */
                readonly type: "message";
                readonly id?: string | null;
                /** @enum {string} */
                readonly role: "user" | "assistant" | "system" | "developer";
                readonly content: string | readonly ({
                    /** @enum {string} */
                    readonly type: "input_text" | "output_text" | "text";
                    readonly text: string;
                } | {
                    readonly type: string;
                })[];
            } | {
                /** @constant */
                readonly type: "function_call";
                readonly id?: string | null;
                readonly call_id: string;
                readonly name: string;
                readonly arguments: string;
                readonly extra_content?: {
                    readonly stemma?: components["schemas"]["JsonValue"];
                } | null;
            } | {
                /** @constant */
                readonly type: "function_call_output";
                readonly id?: string | null;
                readonly call_id: string;
                readonly output: string | readonly ({
                    /** @enum {string} */
                    readonly type: "input_text" | "output_text" | "text";
                    readonly text: string;
                } | {
                    readonly type: string;
                })[];
            } | {
                /** @constant */
                readonly type: "item_reference";
                readonly id: string;
            } | {
                /** @constant */
                readonly type: "reasoning";
                readonly id?: string | null;
            })[];
            readonly instructions?: string | null;
            readonly previous_response_id?: string | null;
            readonly store?: boolean | null;
            readonly stream?: boolean | null;
            readonly background?: boolean | null;
            readonly tools?: readonly ({
                /** @constant */
                readonly type: "function";
                readonly name: string;
                readonly description?: string | null;
                readonly parameters?: {
                    readonly [key: string]: unknown;
                } | null;
                readonly strict?: boolean | null;
            } | {
                readonly type: string;
            })[] | null;
            readonly tool_choice?: unknown;
            readonly parallel_tool_calls?: boolean | null;
            readonly text?: {
                readonly format?: unknown;
                readonly verbosity?: string | null;
            } | null;
            readonly reasoning?: {
                readonly effort?: string | null;
                readonly summary?: unknown;
                readonly generate_summary?: unknown;
            } | null;
            readonly temperature?: number | null;
            readonly top_p?: number | null;
            readonly max_output_tokens?: number | null;
            readonly metadata?: {
                readonly [key: string]: string;
            } | null;
            readonly stemma?: {
                readonly context?: {
                    readonly [key: string]: unknown;
                };
            } | null;
        };
        readonly "getResponsesById.query": {
            /** @enum {string} */
            readonly stream?: "true" | "false";
            readonly starting_after?: string;
        };
        readonly "getResponsesByIdInputItems.query": {
            /** @enum {string} */
            readonly order?: "asc" | "desc";
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "getRuns.query": {
            readonly agent_id?: string;
            /** @enum {string} */
            readonly status?: "running" | "completed" | "failed" | "cancelled" | "paused";
            readonly user_id?: string;
            readonly since?: string;
            readonly until?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postRunsByIdFeedback.body": {
            /** @enum {string} */
            readonly rating: "up" | "down";
            readonly comment?: string;
            readonly tags?: readonly string[];
        };
        readonly "postRunsByIdShares.body": {
            readonly fields: readonly ("input" | "output" | "links" | "steps" | "tools" | "receipt")[];
            readonly expires_in_hours?: number;
        };
        readonly "postSearch.body": {
            readonly query: string;
            readonly knowledge_base_ids?: readonly string[];
            readonly history?: readonly {
                /** @enum {string} */
                readonly role: "user" | "assistant";
                readonly content: string | readonly {
                    /** @constant */
                    readonly type: "text";
                    readonly text: string;
                }[];
            }[];
            readonly top_k?: number;
            readonly min_score?: number;
            readonly filter?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            readonly stemma?: {
                readonly provider?: string;
                readonly model?: string;
                readonly knowledge_base_ids?: readonly string[];
            };
        };
        readonly "postSession.body": {
            readonly token: string;
            readonly email?: string;
            readonly name?: string;
        };
        readonly "postSessionPasskey.body": {
            readonly response: {
                readonly id: string;
                readonly rawId: string;
                /** @constant */
                readonly type: "public-key";
                readonly response: {
                    readonly clientDataJSON: string;
                    readonly authenticatorData: string;
                    readonly signature: string;
                    readonly userHandle: string;
                } & {
                    readonly [key: string]: unknown;
                };
            } & {
                readonly [key: string]: unknown;
            };
        };
        readonly "postSessionWorkspace.body": {
            readonly workspace_id: string;
        };
        readonly "getSessions.query": {
            readonly user_id?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postSharedRuns.body": {
            readonly token: string;
        };
        readonly "getShares.query": {
            readonly run_id?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "postThreads.body": {
            readonly title?: string;
            readonly metadata?: {
                readonly [key: string]: string;
            };
            readonly agent_id?: string;
        };
        readonly "getThreads.query": {
            readonly query?: string;
            readonly owner?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "patchThreadsById.body": {
            readonly title?: string;
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly "getThreadsByIdMessages.query": {
            readonly branch?: string;
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "getUsage.query": {
            readonly from?: string;
            readonly to?: string;
            /** @enum {string} */
            readonly payer?: "workspace" | "deployment" | "none" | "external";
            /** @enum {string} */
            readonly stage?: "rewrite" | "embed" | "score" | "answer" | "index";
            readonly user_id?: string;
            /** @enum {string} */
            readonly group_by?: "user";
        };
        readonly "putWorkspaceLlmSettings.body": {
            readonly provider: string;
            readonly base_url: string;
            readonly model: string;
            readonly api_key?: string | null;
            readonly has_api_key?: unknown;
            readonly status?: unknown;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly updated_by?: unknown;
            readonly warnings?: unknown;
            readonly deployment?: unknown;
        };
        readonly "postWorkspaceLlmSettingsTest.body": {
            readonly provider?: string;
            readonly base_url?: string;
            readonly model?: string;
            readonly api_key?: string | null;
            readonly has_api_key?: unknown;
            readonly status?: unknown;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly updated_by?: unknown;
            readonly warnings?: unknown;
            readonly deployment?: unknown;
        };
        readonly "getWorkspaceSecrets.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "putWorkspaceSecretsByName.body": {
            readonly server_url: string;
            readonly value?: string;
            readonly name?: unknown;
            readonly status?: unknown;
            readonly created_at?: unknown;
            readonly updated_at?: unknown;
            readonly updated_by?: unknown;
        };
        readonly "postWorkspaces.body": {
            readonly name: string;
        };
        readonly "getWorkspaces.query": {
            readonly limit?: number;
            readonly after?: string;
        };
        readonly "patchWorkspacesById.body": {
            readonly name: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
