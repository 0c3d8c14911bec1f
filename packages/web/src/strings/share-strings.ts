import type { RunShareField } from "@stemma/client";

/** Labels of the parts of a run that a link shows, in their order. */
export const SHARE_FIELD_LABELS: { readonly [Field in RunShareField]: string } = {
	input: "Question or input",
	output: "Answer, with title and quote of each source",
	links: "Web addresses of sources",
	steps: "Steps: nodes, their times and states",
	tools: "What tools and other agents were asked, and returned",
	receipt: "Receipt: models, tokens and who paid",
};

/** English words about links to runs, which are loaded with the pages that have them. */
export const SHARE_STRINGS = {
	share: "Share",
	title: "Share this run",
	lead: "Whoever has the link sees what you choose here, without signing in. Documents are never shown, and the link shows no more than you may see yourself.",
	fields: "What the link shows",
	expires: "Valid for",
	validities: { 1: "1 hour", 24: "1 day", 168: "7 days", 720: "30 days" },
	create: "Create a link",
	created: "Copy the link now: it is not shown again. Send it to the people alone who may see this.",
	links: "Links to this run",
	none: "There is no valid link to this run.",
	describe: (fields: string, until: string, views: string) => `${fields} · until ${until} · opened ${views}`,
	views: (count: number, text: string) => (count === 1 ? "once" : `${text} times`),
	createdBy: (who: string) => `made by ${who}`,
	revoke: "Revoke",
	revokeOf: (until: string) => `Revoke the link that is valid until ${until}`,
	short: {
		input: "input",
		output: "answer",
		links: "addresses",
		steps: "steps",
		tools: "tools",
		receipt: "receipt",
	} satisfies { readonly [Field in RunShareField]: string },
	page: "Shared run",
	pageLead: (ended: string, until: string) =>
		`A run of ${ended}, as somebody shared it. The link is valid until ${until}.`,
	failed: "The link cannot be opened",
	question: "Question",
	answer: "Answer",
	noAnswer: "There is no answer.",
	errorTitle: "The run failed",
	sources: "Sources",
	truncated: "There were more steps than are shown.",
	noSteps: "There were no steps.",
} as const;
