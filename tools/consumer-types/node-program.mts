// A program that only Node runs, for its types alone.
import { BEARER_SECURITY, createA2aServer, createAgentCard, type TaskStore } from "@stemma/a2a-server";
import { Stemma } from "@stemma/client";
import { fileFromPath } from "@stemma/client/node";

const stemma = new Stemma({ clientId: "cl_1", clientSecret: process.env.SECRET ?? "" });

export const upload = async () =>
	stemma.knowledge.documents.upload("kb_1", {
		files: [await fileFromPath("page.md", { source: true }), { file: new Uint8Array(1), name: "page.txt" }],
	});

// @ts-expect-error: a path is no file
stemma.knowledge.documents.upload("kb_1", { file: "page.md", name: "page.md" });

const server = createA2aServer();

export const answer = async (request: Request, store: TaskStore): Promise<Response> => {
	const options = { id: "desk", version: "1", url: "https://agent.example/a2a/desk", ...BEARER_SECURITY };
	return server.fetch(request, { basePath: "/a2a/desk", card: createAgentCard(options), store });
};

// @ts-expect-error: a card has an address
createAgentCard({ id: "desk", version: "1" });
