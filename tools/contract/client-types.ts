// Compares the types of the client with those of the OpenAPI documents, both ways, whenever types are checked. Nothing runs it.
import type * as client from "@stemma/client";
import type { ResponseTypes } from "../openapi/parts";
import type { RuntimeTypes } from "../openapi/runtime-types";
import type { components } from "./document-types";

type Schemas = components["schemas"];

/** Bodies that functions of the client send, by their operations. */
interface Bodies {
	readonly patchKnowledgeBasesById: client.KnowledgeBaseUpdate;
	readonly patchKnowledgeBasesByIdSourcesBySourceId: client.SourceUpdate;
	readonly patchMembersById: client.MemberUpdate;
	readonly patchPasskeysById: client.PasskeyUpdate;
	readonly patchThreadsById: client.ThreadUpdate;
	readonly patchWorkspacesById: client.WorkspaceUpdate;
	readonly postAgents: client.AgentCreate;
	readonly postAgentsByIdRun: Partial<client.RunRequest & client.RunRegeneration> & Streamed;
	readonly postAgentsByIdVersionsByNumberRestore: client.AgentRestore;
	readonly postAnswersByIdFeedback: client.FeedbackRequest;
	readonly postAsk: Partial<client.AskRequest & client.AskRegeneration> & Streamed;
	readonly postAuthorizationRequests: client.AuthorizationRequest;
	readonly postAuthorizations: client.AuthorizationDecision;
	readonly postClientKeys: client.ClientKeyCreate;
	readonly postClients: client.ApiClientCreate;
	readonly postInvitations: client.InvitationCreate;
	readonly postKnowledgeBases: client.KnowledgeBaseCreate;
	readonly postKnowledgeBasesByIdDocuments: client.DocumentText;
	readonly postKnowledgeBasesByIdReindex: client.ReindexRequest & { readonly dry_run?: boolean };
	readonly postKnowledgeBasesByIdSources: client.SourceCreate;
	readonly postKnowledgeBasesByIdSourcesBySourceIdSync: client.SourceSyncOptions;
	readonly postModelsResolve: client.ResolveModelsRequest;
	readonly postRunsByIdApprovalsByApprovalId: client.ApprovalDecisionRequest;
	readonly postRunsByIdFeedback: client.FeedbackRequest;
	readonly postRunsByIdShares: client.RunShareCreate;
	readonly postSearch: client.SearchRequest;
	readonly postSession: client.SignInRequest;
	readonly postSessionWorkspace: client.SwitchWorkspaceRequest;
	readonly postSharedRuns: { readonly token: string };
	readonly postThreads: client.ThreadCreate;
	readonly putAgentsById: client.AgentReplace;
	readonly putWorkspaceLlmSettings: client.LlmSettingsUpdate & IgnoredSettings;
	readonly putWorkspaceSecretsByName: client.WorkspaceSecretUpdate &
		Ignored<Exclude<keyof client.WorkspaceSecret, keyof client.WorkspaceSecretUpdate>>;
	readonly postWorkspaceLlmSettingsTest: client.LlmSettingsTestRequest & IgnoredSettings;
	readonly postWorkspaces: client.WorkspaceCreate;
}

/** Fields that may be sent back as they were read, and change nothing. */
type Ignored<Name extends PropertyKey> = { readonly [Key in Name]?: unknown };
type IgnoredSettings = Ignored<
	Exclude<keyof client.SavedLlmSettings | keyof client.UnsetLlmSettings, keyof client.LlmSettingsUpdate>
>;

/** Functions of the client choose it. */
interface Streamed {
	readonly stream?: boolean;
}

/** Boolean of a query. */
type Flag = "true" | "false";

/** Queries that functions of the client send, by their operations. */
interface Queries {
	readonly deleteKnowledgeBasesById: { readonly force?: Flag };
	readonly deleteKnowledgeBasesByIdSourcesBySourceId: { readonly keep_documents?: Flag };
	readonly getAgents: client.PageOptions;
	readonly getAgentsByIdVersions: client.PageOptions;
	readonly getAudit: client.AuditListOptions;
	readonly getAuthorizations: client.AuthorizationListOptions;
	readonly getClientKeys: client.PageOptions;
	readonly getClients: client.PageOptions;
	readonly getFeedback: client.FeedbackListOptions;
	readonly getFeedbackExport: client.FeedbackFilter;
	readonly getInvitations: client.PageOptions;
	readonly getKnowledgeBases: client.PageOptions;
	readonly getKnowledgeBasesByIdDocuments: client.DocumentListOptions;
	readonly getKnowledgeBasesByIdDocumentsByDocumentIdText: client.TextRange;
	readonly getKnowledgeBasesByIdSources: client.PageOptions;
	readonly getKnowledgeBasesByIdSourcesBySourceIdSyncs: client.PageOptions;
	readonly getMembers: client.MemberListOptions;
	readonly getPasskeys: client.PasskeyListOptions;
	readonly getRuns: client.RunListOptions;
	readonly getRunsByIdEvents: { readonly after?: string; readonly wait_ms?: number };
	readonly getSessions: client.SessionListOptions;
	readonly getShares: client.RunShareListOptions;
	readonly getThreads: client.ThreadListOptions;
	readonly getThreadsByIdMessages: client.PageOptions & { readonly branch?: string };
	readonly getUsage: client.UsageQuery;
	readonly getWorkspaceSecrets: client.PageOptions;
	readonly getWorkspaces: client.PageOptions;
	readonly patchKnowledgeBasesById: { readonly force?: Flag };
}

/** Bodies of a protocol of others, of which the client sends a part. */
interface Parts {
	readonly "postChatCompletions.body": client.ChatCompletionRequest & Streamed;
	readonly "postEmbeddings.body": Copy<client.EmbeddingsRequest>;
}

/** Type whose fields are known, so that it may be sent where others are allowed. */
type Copy<Type> = { readonly [Key in keyof Type]: Type[Key] };

/** Operations for which the client has no function: protocols of others, and addresses that others open. */
type Excluded =
	| keyof Parts
	| "getDocumentsByDocumentIdFile.query"
	| "getDocumentsByDocumentIdText.query"
	| "getResponsesById.query"
	| "getResponsesByIdInputItems.query"
	| "postAgentsByIdAgUi.body"
	| "postAgentsByIdUi.body"
	| "postMessages.body"
	| "postMessagesCountTokens.body"
	| "postOauthRegister.body"
	// Objects of the browser.
	| "postPasskeys.body"
	| "postSessionPasskey.body"
	| "postResponses.body"
	| "postRunByAgentIdAgUi.body"
	| "postRunByAgentIdUi.body";

type Requests = { readonly [Id in keyof Bodies as `${Id}.body`]: Bodies[Id] } & {
	readonly [Id in keyof Queries as `${Id}.query`]: AsText<Queries[Id]>;
} & {
	readonly "postRunByAgentId.body": client.RunInput & Streamed;
};

/** Events have other types in the process that makes them. */
type Responses = Omit<ResponseTypes & RuntimeTypes, "EventPage" | "WireRunEvent"> & {
	readonly EventPage: client.EventPage;
	readonly WireRunEvent: client.WireRunEvent;
};

type Declared = Requests & Responses;
type Described = {
	readonly [Name in keyof Declared & keyof Schemas]: Name extends `${string}.query`
		? AsText<Schemas[Name]>
		: Schemas[Name];
};

/** Query as an address has it: a number is a text there. */
type AsText<Query> = {
	readonly [Key in keyof Query]: Query[Key] extends number | undefined ? string : Query[Key];
};

declare const MISSING: unique symbol;

/**
 * Type as it is on the wire, in a form in which two types can stand for each other only if they are equal: a field that may be
 * left out is there, with a value of its own. Else a type with an optional field more would do for one without it. A text with a
 * pattern is any text, and JSON is anything.
 */
type Wire<Type> = [client.Json] extends [Type]
	? unknown
	: Type extends string
		? Record<never, 0> extends Record<Type, 0>
			? string
			: Type
		: Type extends number | boolean | null | undefined
			? Type
			: Type extends readonly (infer Item)[]
				? readonly Wire<Item>[]
				: {
						readonly [Key in keyof Type as IsNever<Type[Key]> extends true
							? never
							: Key]-?: object extends Pick<Type, Key>
							? Wire<Exclude<Type[Key], undefined>> | typeof MISSING
							: Wire<Type[Key]>;
					};

/** A field that must be left out. */
type IsNever<Type> = [Exclude<Type, undefined>] extends [never] ? true : false;

type WireOf<Types> = { readonly [Name in keyof Types]: Wire<Types[Name]> };

/** What the client sends and reads is described. */
export const isDescribed = (declared: WireOf<Declared>): WireOf<Described> => declared;

/** What is described can be sent and read with the client. */
export const isDeclared = (described: WireOf<Described>): WireOf<Declared> => described;

/** What the client sends of a protocol of others is described. */
export const isAllowed = (sent: Parts): Pick<Schemas, keyof Parts> => sent;

/** Each request that is described is compared, or excluded. */
export const isComplete = (
	name: Exclude<Extract<keyof Schemas, `${string}.body` | `${string}.query`>, Excluded>,
): keyof Requests => name;
