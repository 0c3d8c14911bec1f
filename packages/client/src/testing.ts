export {
	createFakeStemma,
	type FakeStemma,
	type FakeStemmaOptions,
} from "./testing/create-fake-stemma";
export type { FakeCall } from "./testing/fake-request";
export type { FakeFailure } from "./testing/fake-response";
export type { FakeFailOptions } from "./testing/fake-service";
export { type ControlledRun, createControlledRun } from "./testing/scripts/controlled-run";
export type {
	AskReply,
	AskScript,
	PartialRunEvent,
	RouteScript,
	RunReply,
	RunScript,
	ScriptedAnswer,
	ScriptedAskAnswer,
	ScriptedAskEvent,
	ScriptedEvent,
	ScriptedFailure,
	ScriptedRunRequest,
	SearchScript,
} from "./testing/scripts/script";
