import type { FirstRequest } from "./fuzz-server";

/** Agent without tools. */
export const GRAPH = { nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer." }], edges: [] };
/** Asks another agent only after an approval. */
const APPROVAL_GRAPH = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "other", kind: "remote", agentId: "clerk", approval: true },
	],
	edges: [{ from: "desk", to: "other", mode: "before" }],
};
export const QUESTION = "How long does a refund take?";

/** What is created in the service before other requests are sent: some of everything. */
export const FIRST_REQUESTS: readonly FirstRequest[] = [
	...["handbook", "returns", "prices", "old"].map((slug) => ({
		path: "/v1/knowledge-bases",
		body: { name: slug, slug },
	})),
	{
		path: "/v1/knowledge-bases/handbook/documents",
		body: { title: "Refunds", text: "A refund takes five working days." },
	},
	...["clerk", "front-desk", "porter"].map((slug) => ({ path: "/v1/agents", body: { graph: GRAPH, slug } })),
	{ path: "/v1/agents", body: { graph: APPROVAL_GRAPH, slug: "asking" } },
	...["one", "two", "three"].map((title) => ({ path: "/v1/threads", body: { title } })),
	{ path: "/v1/agents/clerk/run", body: { input: QUESTION } },
	{ path: "/v1/agents/asking/run", body: { input: QUESTION } },
	{ path: "/v1/ask", body: { question: QUESTION, store: true } },
	{ path: "/v1/responses", body: { model: "default", input: QUESTION, store: true } },
	{ path: "/v1/clients", body: { name: "Import", scopes: ["knowledge:write"] } },
	{ path: "/v1/client-keys", body: { name: "Website", origins: ["https://www.example.com"] } },
	{ path: "/v1/invitations", body: { email: "ada@example.com", role: "editor" } },
	{ path: "/v1/workspaces", body: { name: "Finance" } },
	{
		path: "/oauth/register",
		body: { client_name: "An app", redirect_uris: ["https://app.example/callback"] },
	},
];

const MESSAGES = [
	{ id: "msg-1", role: "user", content: QUESTION, parts: [{ type: "text", text: QUESTION }] },
];
const UI = { id: "chat", trigger: "submit-message", messages: [{ ...MESSAGES[0], content: undefined }] };
const AG_UI = {
	...{ threadId: "chat", runId: "run", state: {}, tools: [], context: [], forwardedProps: {} },
	messages: [{ ...MESSAGES[0], parts: undefined }],
};

/** Bodies of protocols that are described elsewhere. */
export const BODIES = {
	...{ postAgentsByIdUi: UI, postRunByAgentIdUi: UI, postAgentsByIdAgUi: AG_UI, postRunByAgentIdAgUi: AG_UI },
	postMessagesCountTokens: { model: "default", messages: [{ role: "user", content: QUESTION }] },
	postResponses: { model: "default", input: QUESTION, store: true, background: true },
	postKnowledgeBasesByIdReindex: { to: "none" },
	postOauthRegister: { client_name: "An app", redirect_uris: ["https://app.example/callback"] },
};
