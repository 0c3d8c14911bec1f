import * as aiSdk from "./ai-sdk.mjs";
import * as awsSdk from "./aws-sdk.mjs";
import { writeCompletions } from "./completions-wire.mjs";
import { writeConverse } from "./converse-wire.mjs";
import * as openai from "./openai.mjs";
import * as stemma from "./stemma.mjs";
import { prepareTransport } from "./transport.mjs";

export const STEMMA = "Stemma";
export const TRANSPORT = "the transport alone";

/** What is streamed, and who reads it. */
export const CONVERSE = {
	name: "ConverseStream",
	write: writeConverse,
	clients: {
		[STEMMA]: stemma.prepareBedrock,
		"AWS SDK": awsSdk.prepareBedrock,
		"AI SDK, provider": aiSdk.prepareBedrock,
		[TRANSPORT]: prepareTransport,
	},
};

export const COMPLETIONS = {
	name: "Chat completions",
	write: writeCompletions,
	clients: {
		[STEMMA]: stemma.prepareCompletions,
		openai: openai.prepareCompletions,
		"AI SDK, provider": aiSdk.prepareCompletions,
		"AI SDK, streamText": aiSdk.prepareStreamText,
		[TRANSPORT]: prepareTransport,
	},
};
