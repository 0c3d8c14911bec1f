import { A2aServerError } from "@stemma/a2a-server";

/** Error for a task that is not there for its caller. */
export const taskNotFound = (): A2aServerError =>
	new A2aServerError("TASK_NOT_FOUND", "There is no such task of this agent.", {
		hint: "Tasks belong to the agent that they were sent to; a client key reaches only the tasks that it started, by the complete id that it received.",
	});

export const notForClientKeys = (): A2aServerError =>
	new A2aServerError("UNSUPPORTED_OPERATION", "A client key cannot list tasks.", {
		hint: "All who use a page share its key, and none may see the tasks of the others. Keep the task ids that you received, or list the tasks from a server, with an access token.",
	});
