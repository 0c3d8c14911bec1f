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
export { type FileListing, listFiles, type Unreadable } from "./documents/list-files";
export type { Passage, SourceDocument } from "./documents/passage";
export {
	type FolderContent,
	type ReadFolderOptions,
	type ReadProgress,
	readFolder,
} from "./documents/read-folder";
export { throwUnreadable, UnreadableError } from "./documents/read-source";
