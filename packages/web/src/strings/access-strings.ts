/** English words of the part that says who may see a knowledge base. */
export const ACCESS_STRINGS = {
	title: "Who can see this",
	all: "All members of this workspace",
	some: "Some members",
	members: "Members who can see it",
	limited: (count: string) => `${count} members can see it, and all admins.`,
	ask: "An admin of this workspace can change that.",
	note: "For others it is not there: they cannot find, read or ask it. Admins can always see it.",
	noMembers: "There are no members but admins. Invite somebody on the page Members first.",
	save: "Save who can see it",
	saved: "Saved.",
} as const;
