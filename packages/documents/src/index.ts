export {
	DocumentError,
	parseCrashedError,
	parseOutOfMemoryError,
	parseTimeoutError,
	unreadableError,
} from "./document-error";
export { findFormat, READABLE_FORMATS } from "./document-format";
export { toTitle } from "./document-title";
export { toIndexText, UNSPACED_SCRIPTS } from "./index-text";
export { type DistinctPassages, takeDistinct } from "./passages/distinct-passages";
export type { Passage, SourceDocument } from "./passages/passage";
export { STOP_WORDS } from "./stop-words";
export type { DocumentContent, PassageContent, UploadContent } from "./upload-content";
