import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { findFile } from "../store/data-folder/private-files";
import { syncFolder } from "../store/data-folder/sync-folder";

/** Credentials that give access to a new workspace. */
export interface WorkspaceCredentials {
	readonly workspace_id: string;
	readonly client_id: string;
	readonly client_secret: string;
	readonly client_key: string;
}

/** Returns the path of the file with the first credentials of a data folder. */
export const bootstrapCredentialsFile = (dataFolder: string): string =>
	join(dataFolder, "first-credentials.json");

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`));

const schema: z.ZodType<WorkspaceCredentials> = z.strictObject({
	workspace_id: id("ws"),
	client_id: id("cl"),
	client_secret: z.string().regex(/^cs_[A-Za-z0-9_-]{43}$/),
	client_key: z.string().regex(/^ck_[0-9a-z]{26}_[A-Za-z0-9_-]{43}$/),
});

/**
 * Reads the file; `undefined` where it is missing or holds something else.
 *
 * @throws StorageError `storage_unsafe` for a link, `storage_unavailable` for anything else that is no file.
 */
export async function readBootstrapCredentials(file: string): Promise<WorkspaceCredentials | undefined> {
	findFile(file);
	try {
		return schema.parse(JSON.parse(await readFile(file, "utf8")));
	} catch {
		return undefined;
	}
}

/** Writes the file for its owner's eyes alone. Once this resolves, it survives a power cut; until then there is none. */
export async function writeBootstrapCredentials(
	file: string,
	credentials: WorkspaceCredentials,
): Promise<void> {
	const draft = `${file}.${randomUUID()}`;
	try {
		await writeDurably(draft, `${JSON.stringify(credentials, undefined, "\t")}\n`);
		await rename(draft, file);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
	await syncFolder(dirname(file));
}

async function writeDurably(file: string, text: string): Promise<void> {
	const handle = await open(file, "wx", 0o600);
	try {
		await handle.writeFile(text);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Deletes the file where it holds the credentials of this workspace. */
export async function deleteBootstrapCredentials(dataFolder: string, workspaceId: string): Promise<void> {
	const file = bootstrapCredentialsFile(dataFolder);
	const found = await readBootstrapCredentials(file).catch(() => undefined);
	if (found?.workspace_id !== workspaceId) return;
	await rm(file, { force: true });
	await syncFolder(dataFolder);
}
