export { toAnswerEvent, toAnswerResult, toPublicRunError } from "./internal/answer-only";
export { abortReason } from "./internal/async/abort-reason";
export { backoffDelayMs, MAX_RETRY_AFTER_MS } from "./internal/async/backoff";
export { Queue } from "./internal/async/queue";
export { createSemaphore, type Semaphore } from "./internal/async/semaphore";
export { singleFlight } from "./internal/async/single-flight";
export { MAX_TIMER_MS, sleep, startBackgroundTimer } from "./internal/async/timer";
export { type Clock, clock, createClock } from "./internal/clock";
export { copyJson, isCopyOf } from "./internal/copy-json";
export { closestName } from "./internal/did-you-mean";
export { toExactJson } from "./internal/exact-json";
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
export { quote } from "./internal/quote";
export { toQuoteText } from "./internal/quote-text";
export { randomBytes } from "./internal/random-bytes";
export { SCOPES } from "./internal/scopes";
export { toSecretVariable } from "./internal/secret-variable";
export { trimEndOf } from "./internal/trim-end-of";
export { visibleJson, visibleText } from "./internal/visible-text";
export { toFoldedWords } from "./internal/words/folded-words";
export {
	type Coverage,
	type CoverageReader,
	createCoverageReader,
	isTellingWord,
	type QueryTerm,
	sumCovered,
	toQueryTerms,
} from "./internal/words/question-coverage";
export { toStem } from "./internal/words/stems";
export { ENGLISH_STOP_WORDS } from "./internal/words/stop-words";
export { cloneJson, isJsonObject, omitUndefined, parseJson } from "./json";
export { fromNanoUnits, toNanoUnits } from "./run/cost";
export { looksLikeConversation, type RunInputIssue, readRunInput } from "./run/run-input";
export { SETTING_FIELDS } from "./run/setting-fields";
