import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { deleteWorkspaceFiles } from "../store/data-folder/workspace-files";
import { StorageError } from "../store/storage-error";
import type { StoreOpener } from "../store/store-opener";
import type { WorkspacesOptions } from "./workspace-table";
import { openWorkspaces } from "./workspaces";

const ID = "ws_00000000000000000000000000";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-workspaces-"));
	writeFileSync(join(folder, `${ID}.sqlite`), "anything");
});
afterEach(() => rmSync(folder, { recursive: true }));

const workspace = { id: ID, name: "first", created_at: "2026-01-01T00:00:00.000Z" };
const known = { find: async () => workspace, listAll: async () => [workspace] };

const failure = (): StorageError => new StorageError("It is locked.", { code: "storage_unavailable" });

it("a workspace that is deleted while it is opened again does not come back", async () => {
	let isFirst = true;
	let fail = (): void => undefined;
	const opener: StoreOpener = {
		openDeployment: () => Promise.reject(failure()),
		openWorkspace: () =>
			new Promise((_, reject) => {
				fail = () => reject(failure());
				if (isFirst) fail();
				isFirst = false;
			}),
		deleteWorkspace: (id) => deleteWorkspaceFiles(folder, id),
		stop: async () => undefined,
	};
	const options = { onUnavailable: () => undefined } as Partial<WorkspacesOptions> as WorkspacesOptions;
	const workspaces = await openWorkspaces(opener, known, options);
	expect(workspaces.listUnavailable()).toHaveLength(1);
	const retried = workspaces.retry();
	const deleted = workspaces.delete(ID);
	await new Promise(setImmediate);
	// Nothing is deleted under the hands of who opens it.
	expect(readdirSync(folder)).toHaveLength(1);
	fail();
	await Promise.all([retried, deleted]);
	expect(workspaces.listUnavailable()).toEqual([]);
	expect(workspaces.find(ID)).toBeUndefined();
	expect(readdirSync(folder)).toEqual([]);
});
