import { Chat } from "@ai-sdk/react";
import {
	DefaultChatTransport,
	lastAssistantMessageIsCompleteWithApprovalResponses,
	parseJsonEventStream,
	readUIMessageStream,
	uiMessageChunkSchema,
} from "ai";

/** What `useChat` holds, unchanged, without a page around it. */
export function openChat({ api, fetch, id, messages, ...transport }) {
	const chat = new Chat({
		id,
		messages,
		transport: new DefaultChatTransport({ api, fetch, ...transport }),
		sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
	});
	return {
		send: (text) => chat.sendMessage({ text }),
		sendParts: (parts) => chat.sendMessage({ parts }),
		approve: (id, approved, reason) => chat.addToolApprovalResponse({ id, approved, reason }),
		regenerate: () => chat.regenerate(),
		resume: () => chat.resumeStream(),
		stop: () => chat.stop(),
		get messages() {
			return structuredClone(chat.messages);
		},
		get status() {
			return chat.status;
		},
		get error() {
			return chat.error?.message;
		},
	};
}

/** The last message that `readUIMessageStream` makes of a response. */
export async function readMessage(response) {
	const chunks = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema }).pipeThrough(
		new TransformStream({
			transform(result, controller) {
				if (!result.success) throw result.error;
				controller.enqueue(result.value);
			},
		}),
	);
	return readMessageOf(chunks);
}

export async function readMessageOf(stream) {
	let last;
	const errors = [];
	for await (const message of readUIMessageStream({ stream, onError: (error) => errors.push(error.message) }))
		last = message;
	return { message: last, errors };
}
