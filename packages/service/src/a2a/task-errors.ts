import { A2aServerError } from "@stemma/a2a-server";
import type { TaskRow } from "./task-rows";

/** Position in a list of tasks: the fields that order it. */
type PageCursor = Pick<TaskRow, "run_id" | "status_at">;

export const toPageToken = ({ status_at, run_id }: PageCursor): string => `${status_at}.${run_id}`;

/** Reads where a page has ended. @throws A2aServerError `INVALID_PARAMS`. */
export function readPageToken(text: string): PageCursor {
	const [, time, run_id] = /^(\d{1,15})\.(run_\w{1,40})$/.exec(text) ?? [];
	if (time !== undefined && run_id !== undefined) return { status_at: Number(time), run_id };
	throw new A2aServerError("INVALID_PARAMS", "pageToken: It is not the nextPageToken of a previous page.", {
		param: "pageToken",
	});
}

export const taskNotFound = (): A2aServerError =>
	new A2aServerError("TASK_NOT_FOUND", "There is no such task of this agent.", {
		hint: "Tasks belong to the agent that they were sent to; a client key reaches only the tasks that it started, by the complete id that it received.",
	});

export const notForClientKeys = (): A2aServerError =>
	new A2aServerError("UNSUPPORTED_OPERATION", "A client key cannot list tasks.", {
		hint: "All who use a page share its key, and none may see the tasks of the others. Keep the task ids that you received, or list the tasks from a server, with an access token.",
	});
