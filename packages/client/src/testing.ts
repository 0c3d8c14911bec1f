export {
	createFakeStemma,
	type FakeStemma,
	type FakeStemmaOptions,
} from "./testing/create-fake-stemma";
export type { FakeFailure } from "./testing/fake-answer";
export type { FakeCall } from "./testing/fake-request";
export type { FakeFailOptions } from "./testing/fake-service";
export { createHeldRun, type HeldRun } from "./testing/held-run";
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
} from "./testing/script";
