import type { WorkspaceProblem } from "@stemma/client";
import { StorageError } from "../store/storage-error";

/** A workspace that is known, and whose file cannot be used. */
export interface UnavailableWorkspace {
	readonly id: string;
	/** Names no file: whoever may list workspaces sees it. */
	readonly problem: WorkspaceProblem;
	/** Error that was thrown, for the log. */
	readonly error: unknown;
	/** True where the workspace may become available again without a new file and without a restart. */
	readonly isTransient: boolean;
}

const RESTORE_HINT =
	"Stop the service, restore the workspace's file from a backup (and remove the -wal and -shm files beside it), and start again; or delete the workspace. stemma doctor --data <folder> checks all files.";

const RETRY_HINT = "The service tries again every minute.";

interface ProblemText {
	readonly message: string;
	readonly hint: string;
	readonly isTransient?: boolean;
}

const PROBLEMS: Readonly<Record<string, ProblemText>> = {
	storage_corrupt: { message: "Its file is damaged.", hint: RESTORE_HINT },
	storage_missing: { message: "Its file is missing or empty.", hint: RESTORE_HINT },
	storage_mismatch: { message: "Its file belongs to another workspace.", hint: RESTORE_HINT },
	storage_version: {
		message: "A later version of Stemma wrote its file.",
		hint: "Start that version, or restore the file from a backup of this version.",
	},
	storage_unsafe: {
		message: "A symbolic link is in the place of its file.",
		hint: "Stop the service, put the file itself in its place, and start again.",
	},
	storage_unavailable: {
		message: "Its file cannot be opened for reading and writing.",
		hint: `Check that the disk works. There must be a file that the service may read and write, and that no other process, such as a backup, has locked. ${RETRY_HINT}`,
		isTransient: true,
	},
	storage_full: {
		message: "Its file cannot be opened, because the disk is full.",
		hint: `Free some space. ${RETRY_HINT}`,
		isTransient: true,
	},
};

/** Problem where no error shows that the file is damaged: no reason to delete it. */
const UNKNOWN_PROBLEM: ProblemText = {
	message: "It cannot be opened; the service's log says why.",
	hint: `${RETRY_HINT} If the problem stays, stemma doctor --data <folder> checks its file.`,
	isTransient: true,
};

/** Describes the problem of a workspace whose file could not be opened, or turned out to be damaged. */
export function toUnavailableWorkspace(id: string, error: unknown): UnavailableWorkspace {
	const code = error instanceof StorageError ? error.code : "workspace_unusable";
	const { message, hint, isTransient = false } = PROBLEMS[code] ?? UNKNOWN_PROBLEM;
	return { id, problem: { code, message, hint }, error, isTransient };
}

const MAX_IDS = 10;

/** Warning for `/readyz`; none where all workspaces are available. */
export function listUnavailableWarnings(unavailable: readonly UnavailableWorkspace[]) {
	if (unavailable.length === 0) return [];
	const named = unavailable.slice(0, MAX_IDS).map(({ id, problem }) => `${id} (${problem.code})`);
	const more = unavailable.length > MAX_IDS ? `, and ${unavailable.length - MAX_IDS} more` : "";
	const subject = unavailable.length === 1 ? "1 workspace is" : `${unavailable.length} workspaces are`;
	const message = `${subject} unavailable: ${named.join(", ")}${more}. The others are served. stemma workspaces list and stemma doctor --data <folder> say what to do.`;
	return [{ code: "workspace_unavailable", message }];
}
