export { type DistinctPassages, type PassageContent, takeDistinct } from "./documents/distinct-passages";
export { formatOf, READABLE_FORMATS } from "./documents/formats";
export {
	countFormats,
	describeLeftOut,
	extensionOf,
	type LeftOut,
	nameLeftOut,
	sumLeftOut,
} from "./documents/left-out";
export { type FileListing, type ListFilesOptions, listFiles, type Unreadable } from "./documents/list-files";
export type { Passage, SourceDocument } from "./documents/passage";
export { type ReadFileOptions, readFileBytes } from "./documents/read-file-bytes";
export {
	type FolderContent,
	type ReadFolderOptions,
	type ReadProgress,
	readFolder,
} from "./documents/read-folder";
export { throwUnreadable } from "./documents/read-source";
export { UnreadableError } from "./documents/unreadable";
