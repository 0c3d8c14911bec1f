import { A2aServerError } from "@stemma/a2a-server";

const RUN_ID = /^run_\w{1,40}$/;

/** A page ends with the id of a run. @throws A2aServerError `INVALID_PARAMS`. */
export function demandPageToken(text: string): void {
	if (RUN_ID.test(text)) return;
	throw new A2aServerError("INVALID_PARAMS", "pageToken: It is no nextPageToken of a page before.", {
		param: "pageToken",
	});
}

export const taskNotFound = (): A2aServerError =>
	new A2aServerError("TASK_NOT_FOUND", "There is no such task of this agent.", {
		hint: "Tasks belong to the agent that they were sent to; a client key reaches those that it started, by the whole id that it was given.",
	});

export const notForClientKeys = (): A2aServerError =>
	new A2aServerError("UNSUPPORTED_OPERATION", "A client key cannot list tasks.", {
		hint: "All who use a page share its key, and none may see the tasks of the others. Keep the ids that were given, or list from a server, with an access token.",
	});
