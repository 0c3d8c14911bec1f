export { type DistinctPassages, takeDistinct } from "./distinct-passages";
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
export type { Passage, SourceDocument } from "./passage";
export { STOP_WORDS } from "./stop-words";
export type { DocumentContent, PassageContent, UploadContent } from "./upload-content";
