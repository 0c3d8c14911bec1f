export { abortReason } from "./internal/abort-reason";
export { toAnswerEvent, toAnswerResult } from "./internal/answer-only";
export { backoffDelayMs } from "./internal/backoff";
export { type Clock, clock, createClock } from "./internal/clock";
export { copyJson, isCopyOf } from "./internal/copy-json";
export { closestName } from "./internal/did-you-mean";
export {
	findJsonLimitIssue,
	type JsonLimitIssue,
	MAX_JSON_BODY_BYTES,
	MAX_JSON_ITEMS,
	MAX_JSON_NESTING,
	MAX_JSON_VALUES,
} from "./internal/find-json-limit-issue";
export { formatBytes } from "./internal/format-bytes";
export { createId, createIdGenerator, readIdTime } from "./internal/id";
export { isRefusedConnection } from "./internal/is-refused-connection";
export { Queue } from "./internal/queue";
export { quote } from "./internal/quote";
export { randomBytes } from "./internal/random-bytes";
export { SCOPES } from "./internal/scopes";
export { toSecretVariable } from "./internal/secret-variable";
export { createSemaphore, type Semaphore } from "./internal/semaphore";
export { singleFlight } from "./internal/single-flight";
export { ENGLISH_STOP_WORDS } from "./internal/stop-words";
export { MAX_TIMER_MS, sleep, startBackgroundTimer } from "./internal/timer";
export { trimEndOf } from "./internal/trim-end-of";
export { visibleJson, visibleText } from "./internal/visible-text";
export { isJsonObject, omitUndefined } from "./json";
export { looksLikeConversation, type RunInputIssue, readRunInput } from "./run/run-input";
export { SETTING_FIELDS } from "./run/setting-fields";
