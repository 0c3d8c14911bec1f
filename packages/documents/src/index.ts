export { describeUnreadFile } from "./detection/file-kind";
export {
	DocumentError,
	parseCrashedError,
	parseOutOfMemoryError,
	parseTimeoutError,
	textTooLargeError,
	unreadableError,
} from "./document-error";
export { findFormat, findImageFormat, READABLE_FORMATS } from "./document-format";
export { toTitle } from "./document-title";
export { findOcrFiles, listOcrFolders, type OcrFiles, type OcrFinding } from "./ocr/ocr-files";
export type { FilePlace } from "./original-place";
export { type DistinctPassages, takeDistinct } from "./passages/distinct-passages";
export type { Passage, SourceDocument } from "./passages/passage";
export { READER_VERSIONS } from "./reader-versions";
export { STOP_WORDS } from "./stop-words";
export {
	type DocumentAttachment,
	type DocumentContent,
	MAX_UNREAD_PAGES,
	type PassageContent,
	type UploadContent,
} from "./upload-content";
export { findCompoundSpellings } from "./words/compounds";
export { foldText } from "./words/fold-text";
export { splitCharacters, toIndexText, UNSPACED_SCRIPTS } from "./words/index-text";
export { hasToneMarks, toTonedWord } from "./words/tone-marks";
