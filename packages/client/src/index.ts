export type { AgentCreate, AgentReplace, StoredAgent, StoredAgentSummary } from "./types/agent";
export type { Answer, AskEvent, AskRequest, HistoryMessage } from "./types/ask";
export type {
	ClientKey,
	ClientKeyCreate,
	CreatedClientKey,
	CreatedServerClient,
	Scope,
	ServerClient,
	ServerClientCreate,
} from "./types/credential";
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
export type { EventPage, RunRecord, RunRequest, StartedRun, WireRunEvent } from "./types/run";
export type { RuntimeAgent, RuntimeAgentIssue, RuntimeAgentList, RuntimeHealth } from "./types/runtime";
export type { FoundPassage, SearchRequest, SearchResult } from "./types/search";
