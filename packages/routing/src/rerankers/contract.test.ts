import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { type RerankerSimulator, startRerankerSimulator, VENDORS } from "@stemma/simulators/reranker";
import { afterAll, beforeAll } from "vitest";
import { createOpenAiCompatibleModel } from "../openai-compatible/create";
import { checkRerankerContract } from "../test-support/reranker-contract";
import { scoreByOverlap } from "../test-support/score-by-overlap";
import { createChatReranker } from "./chat-model/create";
import { createCohereReranker } from "./cohere/create";
import type { CohereVendor } from "./cohere/vendors";
import { createTeiReranker } from "./tei/create";

const QUERY = "What does a late return cost?";
const TEXTS = [
	"What a late return does cost: 12 euro.",
	"A late return is a return after noon.",
	"Keys are kept at the desk.",
];

const vendors = Object.keys(VENDORS) as readonly (keyof typeof VENDORS)[];
const simulators = new Map<string, RerankerSimulator>();
let openAi: OpenAiSimulator;
beforeAll(async () => {
	for (const vendor of vendors)
		simulators.set(
			vendor,
			await startRerankerSimulator({ vendor, apiKey: "key-0123456789", models: ["rank-test"] }),
		);
	openAi = await startOpenAiSimulator({ answerInternal: () => undefined, behaviour: scoreByOverlap });
});
afterAll(async () => {
	await Promise.all([...simulators.values(), openAi].map((simulator) => simulator.close()));
});

const baseUrlOf = (vendor: string): string => simulators.get(vendor)?.baseUrl ?? "";
const countOf = (vendor: string) => (): number => simulators.get(vendor)?.requests.length ?? 0;

const cohereVendors: readonly (readonly [string, CohereVendor])[] = [
	["cohere", "cohere"],
	["jina", "jina"],
	["voyage", "voyage"],
	["together", "together"],
	["llama.cpp", "other"],
];
for (const [simulated, vendor] of cohereVendors)
	checkRerankerContract(`cohere, as ${simulated} speaks it`, {
		createReranker: () =>
			createCohereReranker({
				baseUrl: baseUrlOf(simulated),
				model: "rank-test",
				apiKey: "key-0123456789",
				vendor,
			}),
		query: QUERY,
		texts: TEXTS,
		countRequests: countOf(simulated),
	});

checkRerankerContract("tei", {
	createReranker: () => createTeiReranker({ baseUrl: baseUrlOf("tei"), apiKey: "key-0123456789" }),
	query: QUERY,
	texts: TEXTS,
	countRequests: countOf("tei"),
});

checkRerankerContract("tei, in parts", {
	createReranker: () =>
		createTeiReranker({ baseUrl: baseUrlOf("tei"), apiKey: "key-0123456789", batchSize: 1 }),
	query: QUERY,
	texts: TEXTS,
	countRequests: countOf("tei"),
});

checkRerankerContract("chat model", {
	createReranker: () =>
		createChatReranker(createOpenAiCompatibleModel({ baseUrl: openAi.baseUrl, model: "gpt-test" })),
	query: QUERY,
	texts: TEXTS,
	countRequests: () => openAi.requests.length,
});
