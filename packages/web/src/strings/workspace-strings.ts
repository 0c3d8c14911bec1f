/** English words of the page of the workspaces, which are loaded with it. */
export const WORKSPACE_STRINGS = {
	lead: "The workspaces of this service. Each has its own documents, agents, members and credentials; nothing of one is seen in another.",
	create: "New workspace",
	name: "Name",
	createAction: "Create",
	created: (name: string) =>
		`${name} is there, and you are its admin. These are the credentials of its first client, for programs. They are not shown again.`,
	current: "You are here",
	goTo: "Go",
	goToOf: (name: string) => `Go to ${name}`,
	since: (when: string) => `since ${when}`,
	stored: (size: string) => `${size} stored`,
	unavailable: "Cannot be used",
	rename: "Rename",
	renameOf: (name: string) => `Rename ${name}`,
	save: "Save",
	delete: "Delete",
	deleteOf: (name: string) => `Delete ${name}`,
	deleteTitle: "Delete this workspace?",
	deleteText: (name: string) =>
		`Everything in ${name} is deleted for good: documents, agents, runs, settings, members and credentials.`,
	deleteCurrent: "Go to another workspace to delete this one.",
} as const;
