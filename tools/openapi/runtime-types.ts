import type {
	ApprovalDecisionRequest,
	Json,
	JsonObject,
	RunEvent,
	RunInput,
	RunRecord,
	RunResult,
	RuntimeAgentList,
	RuntimeHealth,
	RuntimeReadiness,
} from "@stemma/client";
import type { ErrorBody } from "@stemma/protocol";
import type { RunEventPage } from "./parts";

/** Body of `POST /run/{agentId}`. */
export interface RuntimeRunRequest extends RunInput {
	/** True for a stream, false for one answer. Default: the header `accept` decides. */
	readonly stream?: boolean;
}

/** Bodies of requests to the runtime and of its responses, by their names in its document. */
export interface RuntimeTypes {
	readonly ApprovalDecisionRequest: ApprovalDecisionRequest;
	readonly Error: ErrorBody;
	readonly EventPage: RunEventPage;
	/** JSON of a protocol that is described elsewhere. */
	readonly External: JsonObject;
	readonly Json: Json;
	readonly RunRecord: RunRecord;
	readonly RunResult: RunResult;
	readonly RuntimeAgentList: RuntimeAgentList;
	readonly RuntimeHealth: RuntimeHealth;
	readonly RuntimeReadiness: RuntimeReadiness;
	readonly RuntimeRunRequest: RuntimeRunRequest;
	/** Event of a run, as `WireRunEvent` of `@stemma/client`. */
	readonly WireRunEvent: RunEvent;
}
