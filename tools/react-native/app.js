// An app: React Native's own start, then the packages and what every platform must be able to do with them.
// biome-ignore lint/suspicious/noReactNativeDeepImports: An entry of its own, which apps have by Metro.
import "react-native/setup-env";
import * as client from "@stemma/client";
import * as a2a from "@stemma/client/a2a";
import * as mcp from "@stemma/client/mcp";
import * as core from "@stemma/core";
import * as errors from "@stemma/core/errors";
import * as sse from "@stemma/core/sse";
import * as engine from "@stemma/engine";
import * as local from "@stemma/local";
import * as routing from "@stemma/routing";
import * as aiSdk from "@stemma/routing/ai-sdk";
import * as bedrock from "@stemma/routing/bedrock";
import * as extractive from "@stemma/routing/extractive";
import * as openAiCompatible from "@stemma/routing/openai-compatible";
import * as rerankers from "@stemma/routing/rerankers";
import { AppRegistry } from "react-native";
import { createBodyStreamFetch } from "./body-stream-fetch";
import { follow, followWithoutStreams, upload } from "./client-app";
import { clientScenario } from "./client-scenario.mjs";
import { modelsScenario } from "./models-scenario.mjs";
import { scenario } from "./scenario.mjs";
import { showThread } from "./thread-app";

const packages = { core, client, mcp, a2a, local };
const routings = { routing, aiSdk, bedrock, extractive, openAiCompatible, rerankers };

/** What the test calls: text in, text out, for no object passes from one engine to another as it is. */
globalThis.app = {
	scenario: async () => JSON.stringify(await scenario({ core, errors, sse, local })),
	modelsScenario: async (vendors) =>
		JSON.stringify(await modelsScenario({ core, local, ...routings }, JSON.parse(vendors))),
	clientScenario: async (options) => JSON.stringify(await clientScenario(packages, JSON.parse(options))),
	/** The same with a `fetch` as Expo has one. */
	clientScenarioOverBodyStreams: async (options) => {
		const fetch = createBodyStreamFetch();
		return JSON.stringify(await clientScenario(packages, { ...JSON.parse(options), fetch }));
	},
	follow: async (options) => JSON.stringify(await follow(JSON.parse(options))),
	followWithoutStreams: async (options) => JSON.stringify(await followWithoutStreams(JSON.parse(options))),
	upload: async (options) => JSON.stringify(await upload(JSON.parse(options))),
	/** The example, as the platform starts an app; it draws on the screen. */
	showExample: async (settings) => {
		globalThis.exampleSettings = JSON.parse(settings);
		require("./example/index.js");
		AppRegistry.runApplication("StemmaChat", { rootTag: 11, initialProps: {} });
		return "null";
	},
	/** A conversation, which draws on the screen. */
	showThread: async (options) => {
		showThread(JSON.parse(options));
		return "null";
	},
	/** Handle of the thread that is shown. */
	findThread: async () => JSON.stringify(globalThis.shownThread ?? null),
	describePackages: async () => JSON.stringify([typeof client.createClient, typeof engine.createEngine]),
	describePlatform: async () => JSON.stringify(describePlatform()),
};

/** Which of them there are. */
const describePlatform = () => [
	...["fetch", "ReadableStream", "crypto", "Buffer", "TextDecoder"].filter((name) => name in globalThis),
	...("body" in new Response("") ? ["body"] : []),
];
