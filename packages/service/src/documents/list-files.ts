import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { throwUnreadable, UnreadableError } from "./read-source";

/** A file or folder that cannot be read, and why. */
export interface Unreadable {
	/** Relative to the folder, with `/` on every platform. */
	readonly path: string;
	readonly reason: string;
}

export interface FileListing {
	/** Relative paths with `/`, in the order of their names' code units, folder by folder. */
	readonly paths: readonly string[];
	readonly unreadable: readonly Unreadable[];
}

interface Listing {
	readonly root: string;
	readonly paths: string[];
	readonly links: string[];
	readonly unreadable: Unreadable[];
	/** Real paths of what is listed: a link to it adds nothing, and a circle of links ends. */
	readonly seen: Set<string>;
	readonly signal: AbortSignal | undefined;
}

/**
 * All files below a folder, without hidden files and folders and `node_modules`. Links are followed, after all that is
 * really there, to what is not listed yet, but not to folders around the folder.
 */
export async function listFiles(folder: string, signal?: AbortSignal): Promise<FileListing> {
	const root = await realpath(folder);
	const listing: Listing = { root, paths: [], links: [], unreadable: [], seen: new Set([root]), signal };
	await addFolder(listing, "", root);
	for (const link of listing.links) await tryTo(listing, link, () => addLink(listing, link));
	return { paths: listing.paths.sort(byCodeUnit), unreadable: listing.unreadable };
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isLeftOut = (name: string): boolean => name.startsWith(".") || name === "node_modules";

async function tryTo(listing: Listing, path: string, add: () => Promise<void>): Promise<void> {
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

async function addFolder(listing: Listing, path: string, real: string): Promise<void> {
	const entries = await readdir(real, { withFileTypes: true });
	for (const entry of entries.sort((a, b) => byCodeUnit(a.name, b.name))) {
		if (isLeftOut(entry.name)) continue;
		const below = path === "" ? entry.name : `${path}/${entry.name}`;
		if (entry.isSymbolicLink()) listing.links.push(below);
		else await addEntry(listing, below, join(real, entry.name), entry.isDirectory());
	}
}

async function addEntry(listing: Listing, path: string, real: string, isFolder: boolean): Promise<void> {
	if (listing.seen.has(real)) return;
	listing.seen.add(real);
	if (isFolder) await tryTo(listing, path, () => addFolder(listing, path, real));
	else listing.paths.push(path);
}

async function addLink(listing: Listing, path: string): Promise<void> {
	const target = join(listing.root, path);
	// A link that leads nowhere is listed like a file: whether that matters depends on its name.
	const real = await realpath(target).catch(() => target);
	// A link to a folder around this one would bring in everything beside it.
	if (`${listing.root}${sep}`.startsWith(`${real}${sep}`)) return;
	const status = await stat(real).catch(() => undefined);
	await addEntry(listing, path, real, status?.isDirectory() ?? false);
}
