export { formatOf, READABLE_FORMATS } from "./documents/formats";
export { type FileListing, listFiles, type Unreadable } from "./documents/list-files";
export type { Passage, SourceDocument } from "./documents/passage";
export {
	type FolderContent,
	type LeftOut,
	type ReadFolderOptions,
	type ReadProgress,
	readFolder,
} from "./documents/read-folder";
export { throwUnreadable, UnreadableError } from "./documents/read-source";
