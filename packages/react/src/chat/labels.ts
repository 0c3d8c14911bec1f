/** Words of the chat; replace them for another language. */
export interface ChatLabels {
	readonly chat: string;
	readonly messages: string;
	readonly you: string;
	readonly assistant: string;
	/** Label of the text field. */
	readonly message: string;
	readonly send: string;
	readonly stop: string;
	readonly newChat: string;
	readonly edit: string;
	readonly save: string;
	readonly cancel: string;
	readonly retry: string;
	readonly regenerate: string;
	readonly previousVersion: string;
	readonly nextVersion: string;
	readonly sources: string;
	readonly source: string;
	readonly openSource: string;
	/** Words before the number of a page or a slide. */
	readonly page: string;
	readonly slide: string;
	readonly receipt: string;
	/** Words in place of the payers, where only built-in models answered. */
	readonly nobodyPaid: string;
	readonly tokens: string;
	readonly good: string;
	readonly bad: string;
	/** Label of the comment on a bad answer. */
	readonly comment: string;
	readonly thanks: string;
	readonly approve: string;
	readonly deny: string;
	/** Line above an approval, before the name of the tool. */
	readonly approval: string;
	readonly waiting: string;
	readonly queued: string;
	readonly answering: string;
	readonly cancelled: string;
	readonly loading: string;
}

export const ENGLISH: ChatLabels = {
	chat: "Chat",
	messages: "Messages",
	you: "You",
	assistant: "Assistant",
	message: "Your message",
	send: "Send",
	stop: "Stop",
	newChat: "New chat",
	edit: "Edit",
	save: "Send again",
	cancel: "Cancel",
	retry: "Try again",
	regenerate: "Answer again",
	previousVersion: "Previous version",
	nextVersion: "Next version",
	sources: "Sources",
	source: "Source",
	openSource: "Open the document",
	page: "page",
	slide: "slide",
	receipt: "Paid by",
	nobodyPaid: "Nobody paid: built-in models only",
	tokens: "tokens",
	good: "Good answer",
	bad: "Bad answer",
	comment: "What was wrong? (optional)",
	thanks: "Thank you.",
	approve: "Approve",
	deny: "Deny",
	approval: "Wants to call",
	waiting: "Waiting for an approval.",
	queued: "Waiting for its turn.",
	answering: "Answering…",
	cancelled: "Stopped.",
	loading: "Loading…",
};
