export {
	type FileListing,
	type ListFilesOptions,
	listFiles,
	type Unreadable,
} from "./folder/list-files";
export { isWithin, type ReadFileOptions, readFileBytes } from "./folder/read-file-bytes";
export {
	type FolderContent,
	type ReadFolderOptions,
	type ReadProgress,
	readFolder,
} from "./folder/read-folder";
export { throwUnreadable } from "./folder/read-source";
export {
	countUnreadFormats,
	describeSkipped,
	type SkippedFiles,
	skippedLabel,
	sumSkipped,
} from "./folder/skipped-files";
export { UnreadableError } from "./unreadable-error";
