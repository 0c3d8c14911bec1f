import * as z from "zod";

/** Characters of the path of a pushed file, without its name. */
export const MAX_PATH_CHARACTERS = 1_000;
const MAX_HASH_CHARACTERS = 200;

/** Id or slug of a knowledge base. */
export const knowledgeId = z.string().min(1).max(100);

/** Text that changes with the content of a file. */
export const hash = z.string().min(1).max(MAX_HASH_CHARACTERS);

/** Id of a folder: its path, encoded. */
export const directoryId = z.string().max(8 * MAX_PATH_CHARACTERS);

/** Path of a folder: names, joined by `/`. */
export const folderPath = z
	.string()
	.max(MAX_PATH_CHARACTERS)
	.regex(/^([^/]+(\/[^/]+)*)?$/, "must be names joined by single slashes");
