import type {
	AgentVersion,
	AgentVersionSummary,
	Answer,
	ApiClient,
	AuditRecord,
	Authorization,
	AuthorizationPreview,
	ChatCompletion,
	ChatCompletionChunk,
	ChatCompletionUsage,
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
	FeedbackPassage,
	FeedbackRecord,
	FoundPassage,
	Invitation,
	Inviter,
	KnowledgeBase,
	KnowledgeDocument,
	LimitedAccess,
	ListedAnswerSource,
	ListedModel,
	ListedModelSource,
	LlmProvider,
	LlmProviders,
	LlmSettings,
	LlmSettingsTest,
	LlmStage,
	LlmStages,
	Member,
	MemberData,
	ModelList,
	Page,
	PassageCopy,
	PinnedEmbedding,
	ReadText,
	Reindex,
	ReindexSpace,
	ResolvedModels,
	RunRecord,
	RunShare,
	RuntimeAgent,
	RuntimeAgentList,
	RuntimeHealth,
	RuntimeReadiness,
	SavedLlmSettings,
	SearchResult,
	ServiceHealth,
	ServiceReadiness,
	ServiceWarning,
	SharedCitation,
	SharedRun,
	SharedRunError,
	SharedRunStep,
	SignedOut,
	SignInMethods,
	Source,
	SourceSync,
	SourceSyncCounts,
	StartedRun,
	StatedPrice,
	StorageUsage,
	StoredAgent,
	StoredAgentSummary,
	Thread,
	ThreadExport,
	ThreadMessage,
	ThreadMessageList,
	ThreadReference,
	UnsetLlmSettings,
	Usage,
	UsageCost,
	User,
	UserSession,
	UserWorkspace,
	UserWorkspaces,
	Workspace,
	WorkspaceProblem,
	WorkspaceSecret,
} from "@stemma/client";
import type { Approval, Citation, Cost, PageBox, Place, ReceiptRow, RunResult, RunUsage } from "@stemma/core";
import {
	either,
	type Fields,
	flag,
	id,
	json,
	list,
	nullable,
	number,
	object,
	oneOf,
	optional,
	part,
	type Shape,
	text,
	time,
} from "./shape";

const threadReference: Fields<ThreadReference> = {
	thread_id: optional(id("thr")),
	message_id: optional(id("msg")),
};

const stage = oneOf("rewrite", "embed", "score", "answer", "index");
const payer = oneOf("workspace", "deployment", "none", "external");
const ended = oneOf("completed", "failed", "cancelled", "paused");

/** A page of a list; ones that are asked for here have something in them. */
export const page = <Item>(item: Shape<Item>): Shape<Page<Item>> =>
	object<Page<Item>>({ data: list(item), has_more: flag, next: nullable(text) });

export const deleted = object<Deleted>({ id: text, deleted: oneOf(true) });

const clientFields: Fields<ApiClient> = { id: id("cl"), name: text, scopes: list(json), created_at: time };
export const serverClient = object<ApiClient>(clientFields);
export const createdClient = object<CreatedApiClient>({ ...clientFields, client_secret: text });

const keyFields: Fields<ClientKey> = {
	id: id("ck"),
	name: text,
	scopes: list(oneOf("ask", "agents:run")),
	origins: list(text),
	native: flag,
	agents: nullable(list(text)),
	knowledge_base_ids: nullable(list(text)),
	requests_per_minute: number,
	tokens_per_day: number,
	models: flag,
	expose: oneOf("answer", "trace"),
	created_at: time,
};
export const clientKey = object<ClientKey>(keyFields);
export const createdKey = object<CreatedClientKey>({ ...keyFields, client_key: id("ck") });

const role = oneOf("viewer", "editor", "admin");
const userFields: Fields<User> = {
	id: id("usr"),
	email: text,
	name: text,
	status: oneOf("active", "removed"),
};
export const member = object<Member>({ ...userFields, role, created_at: time });
/** First line of the export of a person's data. */
export const memberProfile = object<Extract<MemberData, { readonly type: "profile" }>>({
	type: oneOf("profile"),
	...{ ...userFields, role, created_at: time },
});
const invitationFields: Fields<Invitation> = {
	...{ id: id("inv"), email: text, role, invited_by: text, created_at: time, expires_at: time },
};
export const invitation = object<Invitation>(invitationFields);
export const createdInvitation = object<CreatedInvitation>({ ...invitationFields, link: text });
const inviter = nullable(object<Inviter>({ id: text, name: nullable(text) }));
export const currentSession = object<CurrentSession>({
	id: id("ses"),
	user: object<User>(userFields),
	workspace: object({ id: id("ws"), name: text }),
	role,
	scopes: list(json),
	invited_by: inviter,
	expires_at: time,
});
export const userSession = object<UserSession>({
	...{ id: id("ses"), user_id: id("usr"), current: flag, user_agent: nullable(text) },
	...{ invited_by: inviter, created_at: time, last_used_at: time, expires_at: time },
});
export const userWorkspaces = object<UserWorkspaces>({
	data: list(object<UserWorkspace>({ id: id("ws"), name: text, role, current: flag })),
});
export const signInMethods = object<SignInMethods>({ issuers: json });
export const signedOut = object<SignedOut>({ signed_out: oneOf(true), end_session_url: optional(text) });

export const authorization = object<Authorization>({
	id: id("aut"),
	user_id: id("usr"),
	client: object<Authorization["client"]>({ id: text, name: text }),
	redirect_host: nullable(text),
	scopes: list(json),
	resource: text,
	created_at: time,
	last_used_at: time,
});
export const authorizationPreview = object<AuthorizationPreview>({
	client: object<AuthorizationPreview["client"]>({ id: id("app"), name: text, host: nullable(text) }),
	redirect_host: nullable(text),
	scopes: list(json),
	resource: text,
	workspace: object<AuthorizationPreview["workspace"]>({ id: id("ws"), name: text }),
});
export const decidedAuthorization = object<DecidedAuthorization>({ redirect_to: text });

const access = optional(object<LimitedAccess>({ users: list(id("usr")) }));

export const knowledgeBase = object<KnowledgeBase>({
	id: id("kb"),
	slug: text,
	name: text,
	description: nullable(text),
	llm_provider: nullable(text),
	llm_model: nullable(text),
	documents: object({ total: number, queued: number, processing: number, ready: number, failed: number }),
	passage_count: number,
	embedding: nullable(object<PinnedEmbedding>({ model: text, dimensions: number, in_use: flag })),
	access,
	created_at: time,
	updated_at: time,
});

const syncCounts = object<SourceSyncCounts>({
	added: number,
	changed: number,
	unchanged: number,
	moved: number,
	removed: number,
	skipped: number,
	failed: number,
});

export const sourceSync = object<SourceSync>({
	id: id("sync"),
	source_id: id("src"),
	status: oneOf("queued", "running", "succeeded", "failed", "cancelled"),
	error: nullable(json),
	counts: syncCounts,
	bytes: number,
	issues: json,
	created_at: time,
	started_at: nullable(time),
	ended_at: nullable(time),
});

const reindexSpace = object<ReindexSpace>({ model: text, vendor_host: text, dimensions: optional(number) });

export const reindex = object<Reindex>({
	knowledge_base_id: id("kb"),
	status: oneOf("idle", "planned", "running", "paused", "completed", "dropping"),
	from: nullable(reindexSpace),
	to: nullable(reindexSpace),
	passages: object({ total: number, done: number, skipped: number }),
	payer,
	error: nullable(json),
	plan: optional(object({ passages: number, estimated_tokens: number, max_tokens: number, reason: text })),
	started_at: nullable(time),
	completed_at: nullable(time),
	undo_until: nullable(time),
});

export const source = object<Source>({
	id: id("src"),
	knowledge_base_id: id("kb"),
	name: text,
	settings: json,
	credential: nullable(text),
	every_minutes: nullable(number),
	next_sync_at: nullable(time),
	documents: object({ total: number, queued: number, processing: number, ready: number, failed: number }),
	last_sync: nullable(sourceSync),
	created_at: time,
	updated_at: time,
});

export const document = object<KnowledgeDocument>({
	id: id("doc"),
	knowledge_base_id: id("kb"),
	title: text,
	source: nullable(text),
	format: oneOf(
		"markdown",
		"text",
		"html",
		"pdf",
		"csv",
		"docx",
		"pptx",
		"odt",
		"odp",
		"rtf",
		"xlsx",
		"ods",
		"json",
		"yaml",
		"xml",
		"eml",
		"msg",
		"mhtml",
		"epub",
		"image",
	),
	status: oneOf("queued", "processing", "ready", "failed"),
	error: nullable(json),
	size_bytes: number,
	content_sha256: text,
	passage_count: number,
	metadata: json,
	source_id: optional(id("src")),
	source_key: optional(text),
	parent_id: optional(id("doc")),
	unread_pages: optional(list(number)),
	created_at: time,
	updated_at: time,
});
export const readText = object<ReadText>({ text });
export const documentUpload = object<DocumentUpload>({ data: list(document) });

const box = object<PageBox>({ page: number, x: number, y: number, width: number, height: number });
const place = object<Place>({
	page: optional(number),
	boxes: optional(list(box)),
	sheet: optional(text),
	cells: optional(text),
	slide: optional(number),
	chapter: optional(text),
	part: optional(text),
	heading: optional(text),
	start: number,
	end: number,
});

const copyFields: Fields<PassageCopy> = {
	passage_id: id("psg"),
	document_id: id("doc"),
	knowledge_base_id: id("kb"),
	knowledge_base: text,
	title: text,
	source: nullable(text),
	place,
};

const passage = object<FoundPassage>({
	...copyFields,
	also_in: optional(list(object<PassageCopy>(copyFields))),
	text,
	score: number,
	metadata: json,
	url: optional(text),
	document_url: optional(text),
});

const cost = object<Cost>({ currency: text, amount: text });

const receiptRow = object<ReceiptRow>({
	stage,
	node: optional(text),
	run_id: optional(id("run")),
	payer,
	provider: text,
	vendor_host: text,
	model: text,
	input_tokens: number,
	output_tokens: number,
	cached_tokens: optional(number),
	estimated: optional(flag),
	cost: optional(cost),
	ms: number,
	attempts: number,
	reason: text,
});

const citation = object<Citation>({
	n: number,
	passage_id: id("psg"),
	document_id: id("doc"),
	title: text,
	source: optional(nullable(text)),
	url: optional(text),
	metadata: optional(json),
	place,
	text,
	support: oneOf("quoted", "supported", "weak"),
	weak_claims: optional(list(text)),
	document_url: optional(text),
});

const runUsage = object<RunUsage>({
	input_tokens: number,
	output_tokens: number,
	model_calls: number,
	steps: number,
});

export const searchResult = object<SearchResult>({
	passages: list(passage),
	receipt: list(receiptRow),
	more_knowledge_bases: optional(flag),
});

export const answer = object<Answer>({
	answer: text,
	answer_id: optional(id("ans")),
	answer_token: optional(text),
	citations: list(citation),
	unknown_citations: optional(list(number)),
	passages: list(passage),
	receipt: list(receiptRow),
	usage: runUsage,
	refused: optional(oneOf("no_relevant_passages", "no_answer_in_passages")),
	warnings: optional(list(oneOf("no_citations", "other_language", "instructions_removed"))),
	more_knowledge_bases: optional(flag),
	...threadReference,
});

const shareField = oneOf("input", "output", "links", "steps", "tools", "receipt");
const shareFields: Fields<RunShare> = {
	...{ id: id("shr"), run_id: id("run"), fields: list(shareField), created_by: text, views: number },
	...{ created_at: time, expires_at: time },
};
export const runShare = object<RunShare>(shareFields);
export const createdRunShare = object<CreatedRunShare>({ ...shareFields, link: text, token: text });
const sharedError = object<SharedRunError>({ code: text, message: text });
export const sharedRun = object<SharedRun>({
	status: oneOf("completed", "failed", "cancelled"),
	...{ created_at: time, ended_at: nullable(time), expires_at: time, fields: list(shareField) },
	...{ input: optional(json), output: optional(json), error: optional(sharedError) },
	citations: optional(
		list(
			object<SharedCitation>({
				...{ n: number, title: text, text, url: optional(text) },
				support: oneOf("quoted", "supported", "weak"),
			}),
		),
	),
	steps: optional(
		list(
			object<SharedRunStep>({
				...{ invocation: number, parent: optional(number), node: text },
				kind: oneOf("coordinator", "agent", "knowledge", "tool", "remote"),
				status: oneOf("completed", "failed", "stopped"),
				...{ started_at: time, ended_at: nullable(time) },
				...{ input: optional(json), output: optional(json), error: optional(sharedError) },
			}),
		),
	),
	steps_truncated: optional(flag),
	receipt: optional(list(receiptRow)),
});

const feedbackFields: Fields<Feedback> = {
	id: id("fb"),
	run_id: nullable(id("run")),
	answer_id: nullable(id("ans")),
	rating: oneOf("up", "down"),
	comment: nullable(text),
	tags: list(text),
	created_at: time,
	updated_at: time,
};
export const feedback = object<Feedback>(feedbackFields);

const feedbackRecordFields: Fields<FeedbackRecord> = {
	...feedbackFields,
	sent_by: text,
	agent_id: nullable(id("ag")),
	agent_slug: nullable(text),
	agent_version: nullable(number),
	question: text,
	answer: json,
};
export const feedbackRecord = object<FeedbackRecord>(feedbackRecordFields);

const feedbackPassage = object<FeedbackPassage>({
	title: text,
	text,
	place,
	passage_id: optional(id("psg")),
	document_id: optional(id("doc")),
});
export const exportedFeedback = object<ExportedFeedback>({
	...feedbackRecordFields,
	history: json,
	citations: list(citation),
	passages: list(feedbackPassage),
});

const agentFields: Fields<StoredAgentSummary> = {
	id: id("ag"),
	slug: text,
	name: nullable(text),
	description: nullable(text),
	version: number,
	access,
	created_at: time,
	updated_at: time,
};
export const agentSummary = object<StoredAgentSummary>(agentFields);
export const storedAgent = object<StoredAgent>({ ...agentFields, graph: json });
const versionFields: Fields<AgentVersionSummary> = {
	agent_id: id("ag"),
	number,
	name: nullable(text),
	note: nullable(text),
	created_by: nullable(text),
	restored_from: nullable(number),
	created_at: time,
};
export const agentVersionSummary = object<AgentVersionSummary>(versionFields);
export const agentVersion = object<AgentVersion>({ ...versionFields, graph: json });

const resultFields: Fields<RunResult> = {
	run_id: id("run"),
	status: ended,
	output: json,
	citations: list(citation),
	unknown_citations: optional(list(number)),
	usage: runUsage,
	receipt: list(receiptRow),
	approvals: optional(json),
	error: optional(json),
};
export const runResult = object<RunResult>(resultFields);

const approval = object<Approval>({
	id: id("apr"),
	node: text,
	tool: text,
	arguments: json,
	expires_at: time,
});

/** Of a run that waits before it has asked a model anything. */
export const pausedResult = object<RunResult>({
	...resultFields,
	status: oneOf("paused"),
	citations: json,
	receipt: json,
	approvals: optional(list(approval)),
});

const runFields: Fields<RunRecord> = {
	id: id("run"),
	run_id: id("run"),
	agent_id: text,
	agent_slug: text,
	agent_version: number,
	status: oneOf("running", "completed", "failed", "cancelled", "paused"),
	background: flag,
	user_id: optional(id("usr")),
	created_at: time,
	ended_at: nullable(time),
	last_seq: number,
	input: optional(json),
	context: optional(json),
	result: optional(json),
	...threadReference,
};
export const runRecord = object<RunRecord>(runFields);

const threadFields: Fields<Thread> = {
	id: id("thr"),
	title: nullable(text),
	metadata: json,
	owner: object({ kind: oneOf("client", "client_key"), id: text }),
	agent_id: nullable(id("ag")),
	created_at: time,
	updated_at: time,
	message_count: number,
	active_run_id: nullable(id("run")),
};
export const thread = object<Thread>(threadFields);
export const createdThread = object<CreatedThread>({ ...threadFields, token: optional(text) });
const threadMessage = object<ThreadMessage>({
	id: id("msg"),
	thread_id: id("thr"),
	parent_id: nullable(id("msg")),
	role: oneOf("user", "assistant"),
	text,
	status: oneOf("queued", "in_progress", "waiting", "completed", "failed", "cancelled"),
	run_id: optional(id("run")),
	run_token: optional(text),
	answer_id: optional(id("ans")),
	answer_token: optional(text),
	citations: optional(list(citation)),
	refused: optional(oneOf("no_relevant_passages", "no_answer_in_passages")),
	receipt: optional(list(receiptRow)),
	error: optional(json),
	created_at: time,
});
export const threadMessages = object<ThreadMessageList>({
	messages: list(threadMessage),
	has_more: flag,
	next: nullable(id("msg")),
});
export const threadExport = object<ThreadExport>({ thread, messages: list(threadMessage) });
export const startedRun = object<StartedRun>({ ...runFields, run_token: text });

const settingsFields: Fields<LlmSettings> = {
	provider: text,
	base_url: text,
	model: text,
	has_api_key: flag,
	status: oneOf("ok", "undecryptable"),
	created_at: time,
	updated_at: time,
	updated_by: id("cl"),
};
export const llmSettings = object<LlmSettings>(settingsFields);
const workspaceFields: Fields<Workspace> = {
	id: id("ws"),
	name: text,
	created_at: time,
	status: oneOf("available", "unavailable"),
	storage_bytes: optional(number),
	problem: optional(object<WorkspaceProblem>({ code: text, message: text, hint: text })),
};
export const workspace = object<Workspace>(workspaceFields);
export const createdWorkspace = object<CreatedWorkspace>({
	...workspaceFields,
	client_id: id("cl"),
	client_secret: text,
	client_key: text,
});

export const unsetSettings = object<UnsetLlmSettings>({
	provider: oneOf(null),
	base_url: oneOf(null),
	model: oneOf(null),
	has_api_key: oneOf(false),
	status: oneOf("ok"),
	created_at: oneOf(null),
	updated_at: oneOf(null),
	updated_by: oneOf(null),
	deployment: object<UnsetLlmSettings["deployment"]>({ provider: text, model: text }),
});
export const savedSettings = object<SavedLlmSettings>({ ...settingsFields, warnings: json });
export const deletedSettings = object<DeletedLlmSettings>({ deleted: flag });
export const settingsTest = object<LlmSettingsTest>({
	ok: flag,
	latency_ms: number,
	model: text,
	stages: list(stage),
	embeddings_checked: oneOf(false),
	usage: optional(
		object<NonNullable<LlmSettingsTest["usage"]>>({
			input_tokens: number,
			output_tokens: number,
			cached_tokens: optional(number),
		}),
	),
	warnings: optional(list(text)),
	error: optional(
		object<NonNullable<LlmSettingsTest["error"]>>({ code: text, message: text, hint: optional(text) }),
	),
});
export const llmStages = object<LlmStages>({
	stages: list(
		object<LlmStage>({
			stage,
			payer,
			provider: text,
			base_url: text,
			model: text,
			credential: oneOf("workspace", "deployment", "embeddings", "rerank", "machine", "none"),
			reason: text,
		}),
	),
	refusal: optional(json),
});
export const llmProviders = object<LlmProviders>({
	data: list(
		object<LlmProvider>({
			id: text,
			name: text,
			provider: text,
			base_url: text,
			models: list(text),
			needs_api_key: flag,
			api_key_hint: text,
			api_key_url: optional(text),
			is_local: optional(flag),
		}),
	),
});

export const workspaceSecret = object<WorkspaceSecret>({
	name: text,
	server_url: text,
	status: oneOf("ok", "undecryptable"),
	created_at: time,
	updated_at: time,
	updated_by: id("cl"),
});

export const chatCompletion = part<ChatCompletion>({
	id: text,
	object: oneOf("chat.completion"),
	created: number,
	model: text,
	choices: list(
		part<ChatCompletion["choices"][number]>({
			index: number,
			message: part<ChatCompletion["choices"][number]["message"]>({
				role: oneOf("assistant"),
				content: nullable(text),
				reasoning_content: optional(text),
				tool_calls: optional(json),
			}),
			finish_reason: nullable(text),
		}),
	),
	usage: optional(
		part<ChatCompletionUsage>({
			prompt_tokens: number,
			completion_tokens: number,
			total_tokens: optional(number),
			prompt_tokens_details: optional(json),
		}),
	),
	stemma: optional(object({ receipt: list(receiptRow) })),
});

export const chatCompletionChunks = list(
	part<ChatCompletionChunk>({
		id: text,
		object: oneOf("chat.completion.chunk"),
		created: number,
		model: text,
		choices: json,
		usage: optional(json),
		stemma: optional(object({ receipt: list(receiptRow) })),
	}),
);

export const listedModel = object<ListedModel>({
	id: text,
	object: oneOf("model"),
	created: number,
	owned_by: text,
	stemma: either<ListedModelSource, ListedAnswerSource>(
		object<ListedModelSource>({
			kind: oneOf("model"),
			model: text,
			provider: text,
			vendor_host: text,
			payer,
			reason: text,
		}),
		object<ListedAnswerSource>({ kind: oneOf("agent", "knowledge_base"), id: text, name: nullable(text) }),
	),
});
export const modelList = object<ModelList>({ object: oneOf("list"), data: list(listedModel) });

export const resolvedModels = object<ResolvedModels>({
	data: list(
		object<ResolvedModels["data"][number]>({
			node: text,
			stage: optional(oneOf("rewrite")),
			provider: text,
			model: text,
			vendor_host: text,
			payer,
			reason: text,
			price: optional(
				object<StatedPrice>({ currency: text, input: text, output: text, cached_input: text, call: text }),
			),
		}),
	),
});

export const embeddings = object<Embeddings>({
	object: oneOf("list"),
	model: text,
	data: list(
		object<Embeddings["data"][number]>({
			object: oneOf("embedding"),
			index: number,
			embedding: list(number),
		}),
	),
	usage: object({ prompt_tokens: number, total_tokens: number }),
	stemma: optional(object({ receipt: list(receiptRow) })),
});

export const usage = object<Usage>({
	from: text,
	to: text,
	data: list(
		object<Usage["data"][number]>({
			day: text,
			payer,
			stage,
			provider: text,
			model: text,
			calls: number,
			input_tokens: number,
			output_tokens: number,
			cached_tokens: number,
			estimated_calls: number,
			costs: optional(list(object<UsageCost>({ currency: text, amount: text, calls: number }))),
			user_id: optional(nullable(id("usr"))),
		}),
	),
	storage: object<StorageUsage>({
		bytes: number,
		max_bytes: number,
		documents: number,
		max_documents: number,
		runs: number,
		max_runs: number,
	}),
});

export const auditRecord = object<AuditRecord>({
	id: id("aud"),
	at: time,
	action: oneOf(
		"llm_settings.set",
		"llm_settings.tested",
		"llm_settings.cleared",
		"secret.set",
		"secret.deleted",
		"client.created",
		"client.rotated",
		"client.deleted",
		"client_key.created",
		"client_key.deleted",
		"member.signed_in",
		"member.updated",
		"member.removed",
		"member.exported",
		"member.erased",
		"invitation.created",
		"invitation.revoked",
		"session.ended",
		"passkey.created",
		"passkey.renamed",
		"passkey.deleted",
		"authorization.created",
		"authorization.ended",
		"run_share.created",
		"run_share.revoked",
		"workspace.created",
		"workspace.renamed",
		"workspace.deleted",
		"knowledge_base.models_changed",
		"knowledge_base.access_changed",
		"agent.access_changed",
		"knowledge_base.reindex_started",
		"knowledge_base.reindex_completed",
		"knowledge_base.reindex_dropped",
		"source.created",
		"source.updated",
		"source.deleted",
		"approval.approved",
		"approval.denied",
		"credentials.resealed",
		"credentials.abandoned",
	),
	actor: text,
	target: text,
	details: json,
	request_id: nullable(text),
});

export const serviceHealth = object<ServiceHealth>({ status: oneOf("ok"), version: text });
export const serviceReadiness = object<ServiceReadiness>({
	status: oneOf("ready"),
	version: text,
	warnings: optional(list(object<ServiceWarning>({ code: text, message: text }))),
});

export const runtimeHealth = object<RuntimeHealth>({
	status: oneOf("ok"),
	version: text,
	agents: object({ ready: number, invalid: number }),
	service: optional(oneOf("none", "unchecked", "ok", "refused", "unavailable")),
});
export const runtimeReadiness = object<RuntimeReadiness>({
	status: oneOf("ready"),
	version: text,
	agents: object({ ready: number, invalid: number }),
	service: oneOf("ok", "none"),
});
export const runtimeAgents = object<RuntimeAgentList>({
	data: list(
		object<RuntimeAgent>({
			id: text,
			form: oneOf("graph", "manifest"),
			name: nullable(text),
			description: nullable(text),
			status: oneOf("ready", "invalid"),
			issues: optional(list(part({ code: text, message: text, path: json }))),
			warnings: optional(list(part({ code: text, message: text, path: json }))),
			file: text,
			version: text,
		}),
	),
});
