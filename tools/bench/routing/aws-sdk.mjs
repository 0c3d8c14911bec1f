import { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { openBody } from "./transport.mjs";

const request = {
	modelId: "us.amazon.nova-lite-v1:0",
	messages: [{ role: "user", content: [{ text: "A question." }] }],
};

export function prepareBedrock(pieces) {
	const client = new BedrockRuntimeClient({
		region: "us-east-1",
		credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a-secret-of-nobody" },
		requestHandler: { handle: async () => ({ response: toResponse(pieces) }) },
	});
	return async (onText) => {
		const { stream } = await client.send(new ConverseStreamCommand(request));
		for await (const { contentBlockDelta } of stream)
			if (contentBlockDelta?.delta?.text !== undefined) onText(contentBlockDelta.delta.text);
	};
}

const toResponse = (pieces) => ({
	statusCode: 200,
	headers: { "content-type": "application/vnd.amazon.eventstream" },
	body: openBody(pieces),
});
