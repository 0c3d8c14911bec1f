import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { UnreadableError } from "../unreadable-error";
import { isWithin } from "./read-file-bytes";
import { throwUnreadable } from "./read-source";
import { type SkippedFiles, sumSkipped } from "./skipped-files";

/** A file or folder that cannot be read, and why. */
export interface Unreadable {
	/** Relative to the folder, with `/` on every platform. */
	readonly path: string;
	readonly reason: string;
}

export interface ListFilesOptions {
	/** Follows links out of the folder, but not to folders around it. Default false. */
	readonly followLinks?: boolean | undefined;
	/** Lists lock files of package managers and minified files, too, which programs write for programs. Default false. */
	readonly includeGenerated?: boolean | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface FileListing {
	/** Real path of the folder that all paths stay in, to read them with; undefined where links out of it are followed. */
	readonly rootPath: string | undefined;
	/** Relative paths with `/`, in the order of their names' code units, folder by folder. */
	readonly paths: readonly string[];
	readonly unreadable: readonly Unreadable[];
	/**
	 * Files and folders that are not listed: hidden ones, `node_modules`, lock and minified files, data folders of services, and links that would
	 * add nothing or too much.
	 */
	readonly skipped: readonly SkippedFiles[];
	/** Paths of links that were not followed: out of the folder, or to what cannot be found. There may be files below them. */
	readonly unfollowed: readonly string[];
}

interface ListingState {
	readonly root: string;
	readonly paths: string[];
	readonly links: string[];
	readonly unreadable: Unreadable[];
	readonly skipped: SkippedFiles[];
	readonly unfollowed: string[];
	/** Real paths of what is listed: a link to it adds nothing, and a circle of links ends. */
	readonly seen: Set<string>;
	readonly followLinks: boolean;
	readonly includeGenerated: boolean;
	readonly signal: AbortSignal | undefined;
}

/**
 * All files below a folder, without hidden files and folders, `node_modules`, lock and minified files, and data folders of services. Links are
 * followed, after all that is really there, to what is in the folder and not listed yet.
 */
export async function listFiles(
	folder: string,
	{ followLinks = false, includeGenerated = false, signal }: ListFilesOptions = {},
): Promise<FileListing> {
	const root = await realpath(folder);
	const listing: ListingState = {
		root,
		paths: [],
		links: [],
		unreadable: [],
		skipped: [],
		unfollowed: [],
		seen: new Set([root]),
		followLinks,
		includeGenerated,
		signal,
	};
	await addFolder(listing, "", root);
	for (const link of listing.links) await collectErrors(listing, link, () => addLink(listing, link));
	const { paths, unreadable, skipped, unfollowed } = listing;
	const rootPath = followLinks ? undefined : root;
	return { rootPath, paths: paths.sort(byCodeUnit), unreadable, skipped: sumSkipped(skipped), unfollowed };
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Kind of an entry that is left out by its name. */
function findSkippedKind({
	name,
	isFolder,
	includeGenerated,
}: {
	readonly name: string;
	readonly isFolder: boolean;
	readonly includeGenerated: boolean;
}): SkippedFiles["kind"] | undefined {
	if (name.startsWith(".")) return isFolder ? "hidden_folder" : "hidden_file";
	if (!isFolder && !includeGenerated && GENERATED_FILE.test(name)) return "generated_file";
	return name === "node_modules" ? "node_modules" : undefined;
}

/** Names of lock files of package managers, and of minified files. */
const GENERATED_FILE =
	/^(?:package-lock\.json|npm-shrinkwrap\.json|packages\.lock\.json|pnpm-lock\.ya?ml|(?:yarn|bun|poetry|uv|composer|cargo|gemfile|pipfile)\.lock|.+\.min\.[a-z]+)$/i;

/** Files of a service's data folder. The credentials in it are JSON, and no document. */
const DATA_FOLDER_FILES: ReadonlySet<string> = new Set(["deployment.sqlite", "first-credentials.json"]);

const addSkipped = ({ skipped }: ListingState, kind: SkippedFiles["kind"]): void =>
	void skipped.push({ kind, extension: "", count: 1 });

async function collectErrors(listing: ListingState, path: string, add: () => Promise<void>): Promise<void> {
	listing.signal?.throwIfAborted();
	try {
		await add();
	} catch (error) {
		listing.unreadable.push({ path, reason: reasonOf(error) });
	}
}

function reasonOf(error: unknown): string {
	try {
		return throwUnreadable(error);
	} catch (unreadable) {
		return unreadable instanceof UnreadableError ? unreadable.message : String(unreadable);
	}
}

async function addFolder(listing: ListingState, path: string, real: string): Promise<void> {
	const entries = await readdir(real, { withFileTypes: true });
	if (entries.some(({ name }) => DATA_FOLDER_FILES.has(name))) return addSkipped(listing, "data_folder");
	for (const entry of entries.sort((a, b) => byCodeUnit(a.name, b.name))) {
		const { includeGenerated } = listing;
		const kind = findSkippedKind({ name: entry.name, isFolder: entry.isDirectory(), includeGenerated });
		const childPath = path === "" ? entry.name : `${path}/${entry.name}`;
		if (kind !== undefined) addSkipped(listing, kind);
		else if (entry.isSymbolicLink()) listing.links.push(childPath);
		else await addEntry(listing, childPath, join(real, entry.name), entry.isDirectory());
	}
}

async function addEntry(listing: ListingState, path: string, real: string, isFolder: boolean): Promise<void> {
	if (listing.seen.has(real)) return;
	listing.seen.add(real);
	if (isFolder) await collectErrors(listing, path, () => addFolder(listing, path, real));
	else listing.paths.push(path);
}

async function addLink(listing: ListingState, path: string): Promise<void> {
	const target = join(listing.root, path);
	// A link that leads nowhere is listed like a file: whether that matters depends on its name.
	const real = await realpath(target).catch(() => target);
	// A link to a folder around this one would bring in everything beside it.
	if (listing.seen.has(real) || isWithin(listing.root, real)) return addSkipped(listing, "link");
	const isSkipped = !listing.followLinks && !isWithin(real, listing.root);
	const status = isSkipped ? undefined : await stat(real).catch(() => undefined);
	if (status === undefined) listing.unfollowed.push(path);
	if (isSkipped) return addSkipped(listing, "link_outside");
	await addEntry(listing, path, real, status?.isDirectory() ?? false);
}
