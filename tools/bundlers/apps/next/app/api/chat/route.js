import { Stemma } from "@stemma/client";
import { readChatRequest, toUIMessageStreamResponse } from "@stemma/client/ai-sdk";

/** Route handler: what `useChat` of the AI SDK calls. */
export async function POST(request) {
	const chat = readChatRequest(await request.json());
	if (chat.type !== "run") return Response.json(chat, { status: 400 });
	const stemma = new Stemma({
		baseUrl: process.env.STEMMA_BASE_URL,
		clientId: process.env.STEMMA_CLIENT_ID,
		clientSecret: process.env.STEMMA_CLIENT_SECRET,
	});
	const input = { input: chat.input, context: { customer: "Ada" } };
	return toUIMessageStreamResponse(stemma.agents.stream("desk", input));
}
