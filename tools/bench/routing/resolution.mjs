import { planStages, resolveModel } from "../../../packages/routing/dist/index.js";

const RUNS = 500;

const embedding = {
	base_url: "https://api.openai.com/v1",
	model: "text-embedding-3-small",
	dimensions: 1536,
};

/** A workspace with its own key, two knowledge bases, and a deployment with embeddings. */
const input = {
	knowledgeBases: [
		{ id: "kb_handbook", llm_model: "gpt-5.1-mini", embedding },
		{ id: "kb_contracts", embedding },
	],
	workspace: {
		provider: "openai-compatible",
		base_url: "https://api.openai.com/v1",
		model: "gpt-5.1",
		has_api_key: true,
	},
	deployment: {
		providers: {
			main: {
				provider: "bedrock",
				base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
				credential: "explicit",
				default_model: "eu.amazon.nova-lite-v1:0",
			},
			local: {
				provider: "openai-compatible",
				base_url: "http://localhost:11434/v1",
				credential: "none",
				default_model: "llama3.2",
			},
		},
		chat: "main",
		embeddings: { provider: "openai-compatible", credential: "explicit", ...embedding },
	},
};

/** A run is many decisions, for one is too short to be timed. */
export const resolutionCase = {
	steps: RUNS,
	async run() {
		let payers = "";
		for (let run = 0; run < RUNS; run++) {
			const { resolved } = resolveModel(input);
			const { rows } = planStages(input);
			payers = [resolved, ...rows].map(({ payer }) => payer).join(" ");
		}
		if (payers !== Array(6).fill("workspace").join(" ")) throw new Error(`The payers are ${payers}.`);
	},
};
