/** What the landing page shows above the index of documents, as VitePress' page of the layout `home` takes it. */
export const LANDING_PAGE = {
	layout: "home",
	hero: {
		name: "Stemma",
		text: "Answers from your own documents",
		tagline:
			"It tells you before a run who will pay and at most how much, refuses to let anybody else pay, and shows the page each sentence came from.",
		image: { src: "/icon.svg", alt: "" },
		actions: [
			{ theme: "brand", text: "Quick start", link: "/start" },
			{ theme: "alt", text: "Tour of an agent", link: "/agent-graph-tour" },
			{ theme: "alt", text: "Self-hosting", link: "/self-hosting" },
		],
	},
	features: [
		{
			title: "Answers you can check",
			details:
				"Citations lead to the passage in the document. A receipt lists every model call and who paid for it.",
			link: "/documents",
		},
		{
			title: "Agents, written down",
			details: "A graph of plain JSON says what an agent may call and read. It is checked before it runs.",
			link: "/agent-graph",
		},
		{
			title: "Nobody else pays",
			details: "Who answers and who pays is resolved before a call, from settings that you see.",
			link: "/routing",
		},
		{
			title: "One folder, or Postgres",
			details:
				"A service with a web app, people, keys, backups and upgrades, which needs no key and no network.",
			link: "/self-hosting",
		},
		{
			title: "In your own process",
			details:
				"The same graph runs in the service, in your runtime, in Node, in browsers and in React Native.",
			link: "/packages/local",
		},
		{
			title: "Speaks what you speak",
			details: "MCP, A2A, OpenAI's and Anthropic's formats, the AI SDK, AG-UI and OpenAPI.",
			link: "/http-api",
		},
	],
};
