import {
	type BedrockSimulator,
	citeFirstPassage as citeAsBedrock,
	startBedrockSimulator,
} from "@stemma/simulators/bedrock";
import { citeFirstPassage as citeAsOpenAi, startOpenAiSimulator } from "@stemma/simulators/openai";
import { startRerankerSimulator } from "@stemma/simulators/reranker";
import { ENDLESS } from "./scenarios/models-scenario.mjs";

/** Where stand-ins for vendors listen, and what lets one in: options of models and rerankers. */
export interface Vendors {
	readonly bedrock: { readonly baseUrl: string; readonly model: string };
	readonly bearerKey: string;
	readonly awsKey: string;
	readonly openAi: VendorOptions;
	readonly cohere: VendorOptions;
	readonly tei: VendorOptions;
}

interface VendorOptions {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly model: string;
}

export interface RunningVendors {
	readonly vendors: Vendors;
	readonly bedrock: BedrockSimulator;
	close(): Promise<void>;
}

const API_KEY = "key-of-the-platforms";
const BEARER_KEY = "bedrock-api-key-of-the-platforms";
const AWS_KEY = { accessKeyId: "AKIDPLATFORMS", secretAccessKey: "secret-of-the-platforms" };

/** Says a few words and then nothing more, where {@link ENDLESS} is asked for. */
const BEGINNING = { kind: "reply", text: "One, two, three", fault: { kind: "stall", after: 3 } } as const;

const isEndless = (body: object): boolean => JSON.stringify(body).includes(ENDLESS);

export async function startVendors(): Promise<RunningVendors> {
	const [bedrock, openAi, cohere, tei] = await Promise.all([
		startBedrockSimulator({
			bearerKeys: [BEARER_KEY],
			credentials: [AWS_KEY],
			behaviour: (body, { name }) => {
				if (isEndless(body)) return name === "converse" ? { kind: "silence" } : BEGINNING;
				return citeAsBedrock(body);
			},
		}),
		startOpenAiSimulator({
			apiKey: API_KEY,
			behaviour: (body) => (isEndless(body) ? BEGINNING : citeAsOpenAi(body)),
		}),
		startRerankerSimulator({ vendor: "cohere", apiKey: API_KEY }),
		startRerankerSimulator({ vendor: "tei", apiKey: API_KEY }),
	]);
	const at = ({ baseUrl }: { readonly baseUrl: string }): VendorOptions => ({
		baseUrl,
		apiKey: API_KEY,
		model: "example-model",
	});
	return {
		vendors: {
			bedrock: { baseUrl: bedrock.baseUrl, model: "us.example.writer-v1:0" },
			bearerKey: BEARER_KEY,
			awsKey: `${AWS_KEY.accessKeyId}:${AWS_KEY.secretAccessKey}:us-east-1`,
			openAi: at(openAi),
			cohere: at(cohere),
			tei: at(tei),
		},
		bedrock,
		async close() {
			await Promise.all([bedrock, openAi, cohere, tei].map((simulator) => simulator.close()));
		},
	};
}
