import type { Scope } from "@stemma/client";

/** English words of the pages on which people give access to apps, and end it. */
export const AUTHORIZATION_STRINGS = {
	title: (app: string) => `Give “${app}” access?`,
	lead: (app: string, person: string, workspace: string) =>
		`“${app}” wants to act as you, ${person}, in the workspace ${workspace}.`,
	unchecked: "The app chose this name itself. Nobody has checked it.",
	checked: (host: string) => `The app is published by ${host}.`,
	sentTo: (host: string) => `You will be sent to ${host}.`,
	sentToComputer: "You will be sent to a program on this computer.",
	may: "It will be able to:",
	limits: "It never sees more than you do, and it cannot change settings, members or documents.",
	expected: "Go on only if you have just started this in the app yourself.",
	allow: "Give access",
	deny: "Deny",
	end: "You can end the access at any time under Connected apps.",
	leaving: "Taking you back to the app…",
	failed: "This app cannot be given access",
	apps: "Connected apps",
	appsLead: "Apps that act as you in this workspace.",
	none: "No app has access as you.",
	noneHint: "Apps such as assistants and editors ask for it when you add this service to them.",
	lastUsed: (when: string) => `last used ${when}`,
	computer: "a program on your computer",
	revoke: "End access",
	revokeOf: (app: string) => `End access of ${app}`,
	revokeTitle: "End the access of this app?",
	revokeText: (app: string) => `“${app}” can no longer act as you. You can give it access again later.`,
} as const;

/** Plain words for what an app may do with a scope. */
const SCOPE_WORDS: Partial<Record<Scope, string>> = {
	ask: "ask questions and search your documents, which may cost money",
	"knowledge:read": "list and read the documents that you can see",
	"agents:run": "run agents as you, and see their runs",
	"agents:trace": "see the steps of runs in detail",
	"runs:approve": "approve and deny what agents want to do",
};

export const describeScope = (scope: Scope): string => SCOPE_WORDS[scope] ?? scope;
