import type { CreatedWorkspace, Workspace, Workspaces } from "@stemma/client";
import { formatBytes } from "@stemma/core/internal";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, type ServiceCommandOptions, withService } from "../connection/with-service";
import { confirm } from "../terminal/input/confirm";
import { print, printTable, report } from "../terminal/print";
import { sanitizeLine, type Terminal } from "../terminal/terminal";
import { findWorkspace } from "../workspaces/find-workspace";

/** Options of `stemma workspaces delete`. */
export interface DeleteWorkspaceOptions extends ServiceCommandOptions {
	readonly yes: boolean;
}

const USE_ANOTHER_CLIENT =
	"Then delete this one with a client of the other. On the service's machine: stemma clients create --data <folder> --workspace <the other> --scopes deployment:write";

/** Hints for the command line, by the code of the service's error. */
const HINTS: Readonly<Record<string, string>> = {
	missing_scope:
		"Use a client with the scope deployment:write. The owner of the data folder can create one with: stemma clients create --data <folder> --scopes deployment:write",
	name_taken: 'Choose another name; "stemma workspaces list" shows those in use.',
	last_workspace: `Create another workspace first: stemma workspaces create <name>. ${USE_ANOTHER_CLIENT}`,
	workspace_in_use: `Your client belongs to this workspace: another one is needed. ${USE_ANOTHER_CLIENT}`,
	runs_in_flight:
		'Wait until they have ended, or cancel runs with credentials of the workspace: "stemma runs list", "stemma runs cancel".',
};

const withWorkspaces = <Result>(
	options: ConnectionOptions,
	work: (workspaces: Workspaces, baseUrl: string) => Promise<Result>,
): Promise<Result> =>
	withService(options, ({ client, workspaces }) => withHints(HINTS, () => work(workspaces, client.baseUrl)));

export async function listWorkspaces(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const all = await withWorkspaces(options, listAllWorkspaces);
	printTable(terminal, options, all, { header: ["ID", "NAME", "CREATED", "STATUS", "STORED"], toCells });
	for (const { id, problem } of all)
		if (problem !== undefined)
			report(terminal, "note", `${id} is unavailable (${problem.code}). ${problem.message} ${problem.hint}`);
}

const listAllWorkspaces = (workspaces: Workspaces): Promise<Workspace[]> =>
	listAll(workspaces.list(FULL_PAGES));

const toCells = ({ id, name, created_at, status, storage_bytes }: Workspace): string[] => [
	id,
	name,
	created_at.slice(0, 10),
	status,
	storage_bytes === undefined ? "" : formatBytes(storage_bytes),
];

export async function createWorkspace(
	terminal: Terminal,
	name: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const [created, baseUrl] = await withWorkspaces(options, async (workspaces, url) => [
		await workspaces.create({ name }),
		url,
	]);
	print(terminal, options, created, () => formatCredentials(created, baseUrl));
	const note = `The secrets of ${created.id} are shown only once. Store them where you keep secrets.`;
	report(terminal, "note", note);
}

/** Lines that a shell or an .env file takes. */
const formatCredentials = (
	{ client_id, client_secret, client_key }: CreatedWorkspace,
	baseUrl: string,
): string =>
	[
		`STEMMA_BASE_URL=${baseUrl}`,
		`STEMMA_CLIENT_ID=${client_id}`,
		`STEMMA_CLIENT_SECRET=${client_secret}`,
		`STEMMA_CLIENT_KEY=${client_key}`,
		"",
	].join("\n");

export async function renameWorkspace(
	terminal: Terminal,
	[idOrName, name]: readonly [idOrName: string, name: string],
	options: ServiceCommandOptions,
): Promise<void> {
	const [before, renamed] = await withWorkspaces(options, async (workspaces) => {
		const found = findWorkspace(idOrName, await listAllWorkspaces(workspaces));
		return [found, await workspaces.update(found.id, { name })];
	});
	const [oldName, newName] = [before.name, renamed.name].map(sanitizeLine);
	print(terminal, options, renamed, () => `Renamed ${renamed.id}: "${oldName}" is "${newName}" now.\n`);
}

export async function deleteWorkspace(
	terminal: Terminal,
	idOrName: string,
	options: DeleteWorkspaceOptions,
): Promise<void> {
	const [found, deleted] = await withWorkspaces(options, async (workspaces) => {
		const workspace = findWorkspace(idOrName, await listAllWorkspaces(workspaces));
		const name = sanitizeLine(workspace.name);
		await confirm(terminal, {
			question: `Everything in the workspace "${name}" (${workspace.id}) is deleted for good: documents, agents, runs, settings, credentials.`,
			word: name,
			isConfirmed: options.yes,
		});
		return [workspace, await workspaces.delete(workspace.id)];
	});
	const text = `Deleted "${sanitizeLine(found.name)}" (${found.id}) and everything in it.\n`;
	print(terminal, options, deleted, () => text);
}
