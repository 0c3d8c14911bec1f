import type { PushNotifications } from "../a2a/push-notifications";
import type { ExternalPorts } from "../agent-ports/external-ports";
import type { Agents } from "../agents/agents";
import type { RequestSlots } from "../fairness/request-slots";
import type { Knowledge } from "../knowledge/knowledge";
import type { Responses } from "../responses/responses";
import type { Runs } from "../runs/runs";
import type { LlmSettingsStore } from "../settings/llm-settings";
import type { PushedFiles } from "../sources/push/pushed-files";
import type { SourceSyncs } from "../sources/source-syncs";
import type { Sources } from "../sources/sources";
import type { RunningSyncs } from "../sources/sync/running-syncs";
import type { WorkspaceStore } from "../store/workspace-store";
import type { ThreadTurns } from "../threads/thread-turns";
import type { WorkspaceSecrets } from "../workspace-secrets/workspace-secrets";
import type { InFlightCounter } from "./in-flight-counter";

/** Data of one tenant, in a file of its own, so that none of it can be reached from another. */
export interface Workspace {
	/** `ws_…` */
	readonly id: string;
	readonly store: WorkspaceStore;
	readonly knowledge: Knowledge;
	/** Sources of its knowledge bases. */
	readonly sources: Sources & SourceSyncs;
	/** Files that programs outside push into its knowledge bases. */
	readonly pushedFiles: PushedFiles;
	/** Syncs of them that run in this process. */
	readonly syncs: RunningSyncs;
	readonly agents: Agents;
	readonly runs: Runs;
	/** Turns of the answers in its threads. */
	readonly threads: ThreadTurns;
	readonly responses: Responses;
	readonly settings: LlmSettingsStore;
	readonly secrets: WorkspaceSecrets;
	/** Tools and agents of others. */
	readonly externalPorts: ExternalPorts;
	/** Counts its requests, streams until their end: a deletion is refused while there are any. */
	readonly inFlight: InFlightCounter;
	/** Limits how many of them are in flight at once. */
	readonly requests: RequestSlots;
	/** Push notifications about tasks, for the receivers that registered for them. */
	readonly pushNotifications: PushNotifications;
}
