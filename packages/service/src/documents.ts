export { type DistinctPassages, type PassageContent, takeDistinct } from "./documents/distinct-passages";
export {
	type FileListing,
	type ListFilesOptions,
	listFiles,
	type Unreadable,
} from "./documents/folder/list-files";
export { type ReadFileOptions, readFileBytes } from "./documents/folder/read-file-bytes";
export {
	type FolderContent,
	type ReadFolderOptions,
	type ReadProgress,
	readFolder,
} from "./documents/folder/read-folder";
export { throwUnreadable } from "./documents/folder/read-source";
export {
	countUnreadFormats,
	describeSkipped,
	extensionOf,
	type SkippedFiles,
	skippedLabel,
	sumSkipped,
} from "./documents/folder/skipped-files";
export { UnreadableError } from "./documents/folder/unreadable-error";
export { findFormat, READABLE_FORMATS } from "./documents/formats";
export type { Passage, SourceDocument } from "./documents/passage";
