export type { Unreadable } from "./list-files";
export type { Passage, SourceDocument } from "./passage";
export {
	type FolderContent,
	type LeftOut,
	type ReadFolderOptions,
	type ReadProgress,
	readFolder,
} from "./read-folder";
