import { explainPlan, planStages, resolveModel } from "@stemma/routing";

// What the operator has configured, without keys.
const deployment = {
	providers: {
		main: {
			provider: "openai-compatible",
			base_url: "https://api.openai.com/v1",
			credential: "explicit",
			default_model: "gpt-5-mini",
			allowed_models: ["gpt-5"],
		},
	},
	chat: "main",
};

// What a workspace has set: whether it has a key, never the key.
const workspace = {
	provider: "bedrock",
	base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	model: "eu.amazon.nova-lite-v1:0",
	has_api_key: true,
};

console.log("A workspace with a key for Amazon Bedrock:");
console.log(explainPlan(planStages({ workspace, deployment, stages: ["rewrite", "answer"] })));

console.log("\nA workspace that has set nothing, and a request for a model that is not allowed:");
console.log(explainPlan(planStages({ deployment, choice: { model: "gpt-5-pro" }, stages: ["answer"] })));

// The example is wrong when anybody but the workspace would pay for what it chose.
const { resolved } = resolveModel({ workspace, deployment });
if (resolved?.payer !== "workspace") throw new Error("Somebody else would pay.");
