import { DomainError } from "../errors/domain-error";

/** Error of a workspace that does not exist. */
export const workspaceNotFound = (): DomainError =>
	new DomainError("workspace_not_found", "There is no such workspace.", {
		hint: "GET /v1/workspaces lists them.",
	});

/** @param cause - names the file, for the log. */
export const deletionUnfinished = (cause: unknown): DomainError =>
	new DomainError("storage_unavailable", "The workspace is deleted, but not all of its files could be.", {
		hint: "The operator of the service must delete them: the log and stemma doctor --data <folder> name them. The service tries again every hour and at each start.",
		retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
		cause,
	});

/** @param id - of the workspace that the caller belongs to. */
export const workspaceUnavailable = (id: string): DomainError =>
	new DomainError("workspace_unavailable", `The workspace ${id} is unavailable: its file cannot be used.`, {
		hint: "The operator of the service must repair it: stemma doctor --data <folder> says what is wrong, and what to do.",
		retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
	});

const UNAVAILABLE_RETRY_SECONDS = 60;

export const nameTaken = (): DomainError =>
	new DomainError("name_taken", "Another workspace has this name.", {
		hint: "Choose another name; GET /v1/workspaces lists those in use.",
		param: "name",
	});

/** A new workspace has no client that may delete others. */
const OTHER_WORKSPACE_HINT =
	"Delete this one with a client of another workspace. Create that client on the service's machine: stemma clients create --data <folder> --workspace <the other> --scopes deployment:write";

export const lastWorkspace = (): DomainError =>
	new DomainError("last_workspace", "The last workspace of a deployment cannot be deleted.", {
		hint: `Create another workspace first. ${OTHER_WORKSPACE_HINT}`,
	});

export const workspaceInUse = (): DomainError =>
	new DomainError("workspace_in_use", "A client cannot delete the workspace that it belongs to.", {
		hint: OTHER_WORKSPACE_HINT,
	});

export const runsInFlight = (): DomainError =>
	new DomainError("runs_in_flight", "Runs or requests of this workspace are in flight.", {
		hint: "Wait until they have ended, or cancel the runs with a client of the workspace and end the requests. Then delete the workspace.",
	});
