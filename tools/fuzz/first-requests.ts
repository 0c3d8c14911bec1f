const GRAPH = { nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer." }], edges: [] };

/** What is created in the service before other requests are sent: some of everything. */
export const FIRST_REQUESTS = [
	...["handbook", "returns", "prices", "old"].map((slug) => ({
		path: "/v1/knowledge-bases",
		body: { name: slug, slug },
	})),
	{
		path: "/v1/knowledge-bases/handbook/documents",
		body: { title: "Refunds", text: "A refund takes five working days." },
	},
	...["clerk", "front-desk", "porter"].map((slug) => ({ path: "/v1/agents", body: { graph: GRAPH, slug } })),
	...["one", "two", "three"].map((title) => ({ path: "/v1/threads", body: { title } })),
	{ path: "/v1/agents/clerk/run", body: { input: "How long does a refund take?" } },
	{ path: "/v1/ask", body: { question: "How long does a refund take?", store: true } },
	{ path: "/v1/clients", body: { name: "Import", scopes: ["knowledge:write"] } },
	{ path: "/v1/client-keys", body: { name: "Website", origins: ["https://www.example.com"] } },
	{ path: "/v1/invitations", body: { email: "ada@example.com", role: "editor" } },
	{ path: "/v1/workspaces", body: { name: "Finance" } },
];
