// What an app does with @stemma/client, beyond what all platforms do: see `client-scenario.mjs`.
import { agents, createClient, Stemma } from "@stemma/client";
import { createBodyStreamFetch } from "./body-stream-fetch";

const CLIENT_KEY = "ck_1_key_of_the_app";

/** Reads a run to its end, and tells what came. */
export async function follow({ baseUrl, agent, hasBodyStreams = false }) {
	const fetch = hasBodyStreams ? createBodyStreamFetch() : undefined;
	const client = createClient({ baseUrl, clientKey: CLIENT_KEY, retryDelayMs: 1, fetch });
	const stream = agents(client).stream(agent, { input: "Go on." });
	const numbers = [];
	let text = "";
	for await (const event of stream) {
		numbers.push(event.seq);
		if (event.type === "text.delta") text += event.text;
	}
	const { status } = await stream.result();
	return { status, numbers, text };
}

/** As on a platform where nothing streams: answers come whole, whoever asks. */
export function followWithoutStreams(options) {
	globalThis.fetch = createBodyStreamFetch({ hasBody: false });
	delete globalThis.XMLHttpRequest;
	return follow(options);
}

/** A file as a picker gives it: the platform reads it from its address. */
export async function upload({ baseUrl, clientId, clientSecret, knowledgeBaseId, uri }) {
	const { knowledge } = new Stemma({ baseUrl, clientId, clientSecret, dangerouslyAllowBrowser: true });
	const { documents } = knowledge;
	const progress = [];
	const added = await documents.upload(
		knowledgeBaseId,
		{ file: { uri, name: "the keys.md", type: "text/markdown" }, metadata: { from: "a picker" } },
		{ onProgress: (event) => progress.push(event) },
	);
	const [document] = await documents.waitUntilReady(knowledgeBaseId, added, { pollMs: 20 });
	const { status, title, metadata, size_bytes: size } = document;
	return { status, title, metadata, size, progress };
}
